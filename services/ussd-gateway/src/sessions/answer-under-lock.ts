import { answerHop, type HopAnswer, type HopRules } from './answer-hop.js';
import { holdSession, keepLock } from './hold-session.js';
import type { Hop } from './hop.js';
import { placeLeftBy } from './lost-place.js';
import type { SessionQueue } from './session-queue.js';
import type { SessionRecord } from './session-record.js';
import { type Legacy, type SessionStore, type StoredSession, sessionName } from './session-store.js';
import { type Deadline, withDeadline } from './with-deadline.js';

/** An answered hop: the session as it was found, and what the answer made of it. */
export interface AnsweredHop {
  readonly before: StoredSession | undefined;
  readonly kind: string;
  /** What was saved; undefined when the hop changed nothing. */
  readonly after: SessionRecord | undefined;
  /** From the arrival of the hop to its answer. */
  readonly answerMs: number;
}

export interface SessionParts {
  readonly store: SessionStore;
  readonly queue: SessionQueue;
  readonly rules: HopRules;
  /** How long a session lives after its last hop. */
  readonly sessionTtlMs: number;
  /** How long after a session was lost a dial may go on where it was; without it, or with 0, none may. */
  readonly resumeWindowMs?: number;
  /** The most time a hop may take, waiting for its turn included. */
  readonly hopDeadlineMs: number;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  /** Is told of every hop that got a screen. Neither waits nor throws. */
  readonly watcher?: { saw(hop: AnsweredHop): void };
}

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
  admitted: Promise<void> = admittedToAll,
): Promise<HopAnswer> {
  // It may reject before anybody waits for it, or after the deadline.
  admitted.catch(() => {});
  const arrivedMs = performance.now() - elapsedMs;
  const answerByMs = arrivedMs + taker.hopDeadlineMs * waitShare;
  const waitMs = () => Math.max(0, answerByMs - performance.now());
  const { answer, before } = await withDeadline(Math.max(1, taker.hopDeadlineMs - elapsedMs), (deadline) =>
    taker.queue.run(sessionName(hop), deadline, async () => {
      for (;;) {
        const turn = await takeTurn(hop, taker, deadline, { admitted, waitMs });
        if (turn !== undefined) return turn;
      }
    }),
  );
  taker.watcher?.saw({ before, kind: answer.kind, after: answer.record, answerMs: performance.now() - arrivedMs });
  return answer;
}

/** Of the time of a hop, how much may go by until it answers that an effect is under way: the rest is for saving. */
const waitShare = 0.8;

const admittedToAll = Promise.resolve();

interface Turn {
  readonly answer: HopAnswer;
  /** The session as it was found. */
  readonly before: StoredSession | undefined;
}

/** One try. Undefined when the lock ran out meanwhile: what another process made of the session must be read first. */
async function takeTurn(
  hop: Hop,
  taker: SessionParts,
  deadline: Deadline,
  { admitted, waitMs }: { readonly admitted: Promise<void>; readonly waitMs: () => number },
): Promise<Turn | undefined> {
  const { store } = taker;
  const held = await holdSession(hop, taker, deadline, dialledCode(hop, taker));
  const renewing = keepLock(hop, held.lock, taker);
  let saving = false;
  try {
    await admitted;
    const answer = await answerHop(hop, held.session, taker.rules, { left: held.lostPlace, waitMs });
    if (answer.record === undefined) return { answer, before: held.session };
    deadline.throwIfAborted();
    saving = true;
    const record = { ...answer.record, shownAtMs: taker.clock() };
    const liveMs = record.ended ? 0 : taker.sessionTtlMs;
    const saved = await store.save(held.lock, record, liveMs, legacyOf(record, taker));
    return saved ? { answer: { ...answer, record }, before: held.session } : undefined;
  } finally {
    clearInterval(renewing);
    // Should even this fail, the lock runs out by itself.
    if (!saving) await store.letGo(hop, held.lock).catch(() => {});
  }
}

/** What a session leaves to the next dial, should it be lost after this. */
export function legacyOf(record: SessionRecord, taker: SessionParts): Legacy | undefined {
  const { resumeWindowMs: keptMs = 0, rules } = taker;
  return keptMs > 0 ? { place: placeLeftBy(record, rules.flows), keptMs } : undefined;
}

/** The service code of what may be a dial, where a dial may go on in a lost session. */
function dialledCode({ text, press, serviceCode }: Hop, { resumeWindowMs = 0 }: SessionParts): string | undefined {
  const mayDial = text === '' || press?.dials === true || press?.mayDial === true;
  return resumeWindowMs > 0 && mayDial ? serviceCode : undefined;
}
