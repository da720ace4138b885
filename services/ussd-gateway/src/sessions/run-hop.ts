import { codeDialledBy, type Hop } from './classify-hop.js';
import { decideReply, type HopReply, type HopRules } from './decide-reply.js';
import type { Caller } from './find-caller.js';
import { resumeUpdateOf } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import type { StoredSession } from './session-store.js';
import { type SessionLocks, withSessionLock } from './with-session-lock.js';

/** An answered hop: the session before it, and the session that was saved. */
export interface AnsweredHop {
  readonly before: StoredSession | undefined;
  readonly kind: string;
  /** Undefined if the hop changed nothing. */
  readonly after: SessionRecord | undefined;
  /** From the arrival of the hop to its answer. */
  readonly answerMs: number;
}

export interface HopDeps extends SessionLocks {
  readonly rules: HopRules;
  /** Lifetime of a session after its last hop, in ms. */
  readonly sessionTtlMs: number;
  /** How long after a session expired a dial can continue it, in ms. Default 0: never. */
  readonly resumeWindowMs?: number;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  /** Throws if no session may begin now. */
  readonly assertMayBeginSession?: () => void;
  /** Records every hop that got a screen. Neither waits nor throws. */
  readonly recorder?: { record(hop: AnsweredHop): void };
}

/** Share of the deadline after which a hop answers that an effect is still running: the rest is for saving. */
const effectWaitShare = 0.8;

/**
 * Runs one hop: locks the session, reads it, decides, saves, answers. A hop that cannot be saved is not answered.
 *
 * @param elapsedMs the part of the deadline that has passed already.
 * @param admitted rejects if the subscriber is over a limit. It is awaited after the session is read, so that the check costs no
 *   separate round trip, and before anything is changed.
 * @throws {ServiceError} `deadline_exceeded`; the rejection of `admitted`; or the error of an unavailable store. The session is then
 *   unchanged, or, if only the reply of the store was lost, a retry gets the reply of this hop.
 */
export async function runHop(hop: Hop, deps: HopDeps, elapsedMs = 0, admitted?: Promise<void>): Promise<HopReply> {
  // It may reject before it is awaited, or after the deadline.
  admitted?.catch(() => {});
  const { hopDeadlineMs, rules, sessionTtlMs, resumeWindowMs = 0, clock, recorder } = deps;
  const startMs = performance.now() - elapsedMs;
  const waitMs = () => Math.max(0, startMs + hopDeadlineMs * effectWaitShare - performance.now());
  const isDial = mayDial(hop);
  const serviceCode = codeDialledBy(hop);
  let caller: Promise<Caller> | undefined;
  const findCaller = () => {
    caller = rules.outside.findCaller({ ...hop, serviceCode });
    caller.catch(() => {});
  };
  const options = {
    limitMs: Math.max(1, hopDeadlineMs - elapsedMs),
    dialled: isDial && resumeWindowMs > 0 ? serviceCode : undefined,
    // In parallel with reading the session.
    onRead: isDial ? findCaller : undefined,
  };
  const { answer, before } = await withSessionLock(hop, deps, options, async ({ session, resumePoint, save }) => {
    await admitted;
    if (session?.phase !== 'live') deps.assertMayBeginSession?.();
    // A session that exists may have started an effect since the caller was looked up.
    const known = session === undefined ? caller : undefined;
    const decided = await decideReply(hop, session, rules, { resumePoint, caller: known, waitMs });
    const { record } = decided;
    if (record === undefined) return { answer: decided, before: session };
    record.shownAtMs = clock();
    const liveMs = record.ended ? 0 : sessionTtlMs;
    const isSaved = await save(record, liveMs, resumeUpdateOf(record, rules.flows, resumeWindowMs));
    return isSaved ? { answer: decided, before: session } : undefined;
  });
  recorder?.record({ before, kind: answer.kind, after: answer.record, answerMs: performance.now() - startMs });
  return answer;
}

function mayDial({ text, press }: Hop): boolean {
  return text === '' || press?.dials === true || press?.dialIfUnknown !== undefined;
}
