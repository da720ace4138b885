import { answerHop, type HopAnswer, type HopRules } from './answer-hop.js';
import { asOneWriter, type Waiting, type Writers } from './as-one-writer.js';
import type { Hop } from './hop.js';
import { placeLeftBy } from './lost-place.js';
import type { SessionRecord } from './session-record.js';
import type { Legacy, StoredSession } from './session-store.js';
import type { Dialler } from './who-dials.js';

/** An answered hop: the session as it was found, and what the answer made of it. */
export interface AnsweredHop {
  readonly before: StoredSession | undefined;
  readonly kind: string;
  /** What was saved; undefined when the hop changed nothing. */
  readonly after: SessionRecord | undefined;
  /** From the arrival of the hop to its answer. */
  readonly answerMs: number;
}

export interface SessionParts extends Writers {
  readonly rules: HopRules;
  /** How long a session lives after its last hop. */
  readonly sessionTtlMs: number;
  /** How long after a session was lost a dial may go on where it was; without it, or with 0, none may. */
  readonly resumeWindowMs?: number;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  /** Throws where no session may begin now. */
  readonly assertRoom?: () => void;
  /** Is told of every hop that got a screen. Neither waits nor throws. */
  readonly watcher?: { saw(hop: AnsweredHop): void };
}

/** Of the time of a hop, how much may go by until it answers that an effect is under way: the rest is for saving. */
const waitShare = 0.8;

/**
 * Runs one hop: waits for its turn, reads the session, decides, saves. A hop that cannot be saved is not answered.
 *
 * @param elapsedMs the part of the deadline that is used up already.
 * @param admitted rejects if the subscriber may not take hops now. It is found out while the session is read, so that it
 *   costs no round trip of its own; nothing is done before it is known.
 * @throws {ServiceError} `deadline_exceeded`; what `admitted` rejects with; or whatever the store rejects with when it
 *   cannot be reached. The session then stays where it was, or, if only the reply of the store was lost, a retry gets the
 *   reply of this hop.
 */
export async function answerUnderLock(
  hop: Hop,
  taker: SessionParts,
  elapsedMs = 0,
  admitted?: Promise<void>,
): Promise<HopAnswer> {
  // It may reject before anybody waits for it, or after the deadline.
  admitted?.catch(() => {});
  const { hopDeadlineMs, rules, sessionTtlMs, resumeWindowMs = 0, clock, watcher } = taker;
  const arrivedMs = performance.now() - elapsedMs;
  const waitMs = () => Math.max(0, arrivedMs + hopDeadlineMs * waitShare - performance.now());
  const isDial = mayDial(hop);
  let dialler: Promise<Dialler> | undefined;
  const waiting: Waiting = {
    limitMs: Math.max(1, hopDeadlineMs - elapsedMs),
    // Where a dial may go on in a lost session.
    dialled: isDial && resumeWindowMs > 0 ? hop.serviceCode : undefined,
    // Who dials is looked up while the session is read.
    onAsked: isDial
      ? () => {
          dialler = rules.outside.whoDials(hop);
          dialler.catch(() => {});
        }
      : undefined,
  };
  const { answer, before } = await asOneWriter(hop, taker, waiting, async ({ session, lostPlace, save }) => {
    await admitted;
    if (session?.phase !== 'live') taker.assertRoom?.();
    // A session that is there may have asked for something since the look-up began.
    const known = session === undefined ? dialler : undefined;
    const decided = await answerHop(hop, session, rules, { left: lostPlace, dialler: known, waitMs });
    const { record } = decided;
    if (record === undefined) return { answer: decided, before: session };
    record.shownAtMs = clock();
    const isSaved = await save(record, record.ended ? 0 : sessionTtlMs, legacyOf(record, taker));
    return isSaved ? { answer: decided, before: session } : undefined;
  });
  watcher?.saw({ before, kind: answer.kind, after: answer.record, answerMs: performance.now() - arrivedMs });
  return answer;
}

/** What a session leaves to the next dial, should it be lost after this. */
export function legacyOf(record: SessionRecord, taker: SessionParts): Legacy | undefined {
  const { resumeWindowMs: keptMs = 0, rules } = taker;
  return keptMs > 0 ? { place: placeLeftBy(record, rules.flows), keptMs } : undefined;
}

function mayDial({ text, press }: Hop): boolean {
  return text === '' || press?.dials === true || press?.mayDial === true;
}
