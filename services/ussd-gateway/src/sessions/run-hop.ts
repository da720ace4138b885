import { answerHop, type HopAnswer } from './answer-hop.js';
import type { Caller } from './find-caller.js';
import { type Decided, guessHop, type HopParts } from './guess-hop.js';
import { codeDialledBy, type Hop } from './hop.js';
import { resumeUpdateOf } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import { isFar, type StoredSession } from './session-store.js';
import { type LockOptions, type SessionLocks, withSessionLock } from './with-session-lock.js';

/** An answered hop: the session as it was found, and what the answer made of it. */
export interface AnsweredHop {
  readonly before: StoredSession | undefined;
  readonly kind: string;
  /** What was saved; undefined when the hop changed nothing. */
  readonly after: SessionRecord | undefined;
  /** From the arrival of the hop to its answer. */
  readonly answerMs: number;
}

export interface HopDeps extends SessionLocks, HopParts {
  /** Throws where no session may begin now. */
  readonly assertRoom?: () => void;
  /** Is told of every hop that got a screen. Neither waits nor throws. */
  readonly recorder?: { record(hop: AnsweredHop): void };
}

/** Of the time of a hop, how much may go by until it answers that an effect is under way: the rest is for saving. */
const waitShare = 0.8;

/**
 * Runs one hop: waits for its turn, reads the session, decides, saves; at once where what is stored can be guessed. A hop that cannot be saved is
 * not answered.
 *
 * @param elapsedMs the part of the deadline that is used up already.
 * @param admitted rejects if the subscriber may not take hops now. It is found out while the session is read or saved, so
 *   that it costs no round trip of its own; nothing outside is done before it is known, and the session is as it was before.
 * @throws {ServiceError} `deadline_exceeded`; what `admitted` rejects with; or whatever the store rejects with when it
 *   cannot be reached. The session then stays where it was, or, if only the reply of the store was lost, a retry gets the
 *   reply of this hop.
 */
export async function runHop(hop: Hop, taker: HopDeps, elapsedMs = 0, admitted?: Promise<void>): Promise<HopAnswer> {
  // It may reject before anybody waits for it, or after the deadline.
  admitted?.catch(() => {});
  const { store, hopDeadlineMs, rules, sessionTtlMs, resumeWindowMs = 0, clock, recorder } = taker;
  const arrivedMs = performance.now() - elapsedMs;
  const waitMs = () => Math.max(0, arrivedMs + hopDeadlineMs * waitShare - performance.now());
  const isDial = mayDial(hop);
  const serviceCode = codeDialledBy(hop);
  let caller: Promise<Caller> | undefined;
  // Who dials is looked up while the session is read.
  const lookUp = () => {
    caller = rules.outside.findCaller({ ...hop, serviceCode });
    caller.catch(() => {});
    return caller;
  };
  let hasRoom = false;
  const assertRoom = () => {
    if (!hasRoom) taker.assertRoom?.();
    hasRoom = true;
  };
  const waiting: LockOptions<Decided> = {
    limitMs: Math.max(1, hopDeadlineMs - elapsedMs),
    // Where a dial may go on in a lost session.
    dialled: isDial && resumeWindowMs > 0 ? serviceCode : undefined,
    onAsked: isDial ? () => void lookUp() : undefined,
    guess: isFar(store)
      ? (guessing) => guessHop({ hop, isDial, admitted, assertRoom, lookUp }, store, taker, guessing)
      : undefined,
  };
  const { answer, before } = await withSessionLock(hop, taker, waiting, async ({ session, lostPlace, save }) => {
    await admitted;
    if (session?.phase !== 'live') assertRoom();
    // A session that is there may have asked for something since the look-up began.
    const known = session === undefined ? caller : undefined;
    const decided = await answerHop(hop, session, rules, { left: lostPlace, caller: known, waitMs });
    const { record } = decided;
    if (record === undefined) return { answer: decided, before: session };
    record.shownAtMs = clock();
    const isSaved = await save(
      record,
      record.ended ? 0 : sessionTtlMs,
      resumeUpdateOf(record, rules.flows, resumeWindowMs),
    );
    return isSaved ? { answer: decided, before: session } : undefined;
  });
  recorder?.record({ before, kind: answer.kind, after: answer.record, answerMs: performance.now() - arrivedMs });
  return answer;
}

function mayDial({ text, press }: Hop): boolean {
  return text === '' || press?.dials === true || press?.mayDial !== undefined;
}
