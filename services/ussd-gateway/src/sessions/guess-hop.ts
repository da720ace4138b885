import { answerHop, type HopAnswer, type HopRules } from './answer-hop.js';
import type { Caller } from './find-caller.js';
import type { Hop } from './hop.js';
import { type ResumeUpdate, resumeUpdateOf } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import type { FarSessionStore, StoredSession } from './session-store.js';
import type { Guessed, Guessing } from './with-session-lock.js';

/** By what a hop is decided, and for how long its session is kept. */
export interface HopParts {
  readonly rules: HopRules;
  /** How long a session lives after its last hop. */
  readonly sessionTtlMs: number;
  /** How long after a session was lost a dial may go on where it was; without it, or with 0, none may. */
  readonly resumeWindowMs?: number;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
}

/** A hop that was decided, and the session as it was before. */
export interface Decided {
  readonly answer: HopAnswer;
  readonly before: StoredSession | undefined;
}

export interface GuessedHop {
  readonly hop: Hop;
  readonly isDial: boolean;
  /** Rejects if the subscriber may not take hops now. */
  readonly admitted: Promise<void> | undefined;
  readonly assertRoom: () => void;
  readonly lookUp: () => Promise<Caller>;
}

/**
 * Answers a hop in one round trip: from what this process saved last of its session, or, for a dial, as that of nobody known. The store saves the
 * answer only if that is so. Otherwise, and where the answer would ask or do anything outside, the hop is for the one writer of its session.
 */
export async function guessHop(
  { hop, isDial, admitted, assertRoom, lookUp }: GuessedHop,
  store: FarSessionStore,
  { rules, sessionTtlMs, resumeWindowMs, clock }: HopParts,
  { lockMs, assertInTime }: Guessing,
): Promise<Guessed<Decided>> {
  const known = store.lastSaved(hop);
  if (known === undefined ? !isDial : isBehind(known, hop)) return undefined;
  let caller: Promise<Caller> | undefined;
  if (known === undefined) {
    caller = lookUp();
    await admitted;
    assertRoom();
  }
  const before: StoredSession | undefined = known && { phase: 'live', record: known };
  const answer = await answerHop(hop, before, rules, { caller, isGuess: true });
  const record = answer?.record;
  if (answer === undefined || record === undefined) return undefined;
  record.shownAtMs = clock();
  assertInTime();
  const legacy = resumeUpdateOf(record, rules.flows, resumeWindowMs);
  const swapped = await store.swap(known, record, lockMs, record.ended ? 0 : sessionTtlMs, legacy);
  if (swapped.kind !== 'saved') return swapped;
  try {
    await admitted;
  } catch (error) {
    if (known !== undefined) {
      const before = {
        record: known,
        liveMs: swapped.leftMs,
        legacy: resumeUpdateOf(known, rules.flows, resumeWindowMs),
      };
      // Should even this fail, it is as if the refusal had not been heard: a retry gets the reply of this hop.
      await putBack(store, record, lockMs, before).catch(() => {});
    }
    throw error;
  }
  return { kind: 'guessed', result: { answer, before } };
}

/** Whether the text has grown by more than one input since: then another process has answered the one before. */
function isBehind({ marks }: SessionRecord, { text }: Hop): boolean {
  const typed = text.slice((marks.at(-1)?.length ?? 0) + 1);
  return typed !== '*' && typed.includes('*');
}

/** A hop that was refused changes nothing, unless somebody has gone on from it. */
async function putBack(
  store: FarSessionStore,
  { nonce, hops, ...key }: SessionRecord,
  lockMs: number,
  before: { readonly record: SessionRecord; readonly liveMs: number; readonly legacy: ResumeUpdate | undefined },
): Promise<void> {
  const found = await store.hold(key, lockMs);
  if (found.kind === 'busy') return;
  const now = found.session?.record;
  if (now?.nonce === nonce && now?.hops === hops)
    await store.save(found.lock, before.record, before.liveMs, before.legacy);
  else await store.release(key, found.lock);
}
