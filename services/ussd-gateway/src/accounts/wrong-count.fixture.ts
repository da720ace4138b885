import type { AttemptLimits } from './account-store.js';

/** Time after the last wrong PIN at which a phone's count is reset, in ms. */
const phoneMemoryMs = 24 * 3_600_000;

/** No lock is longer than this, in ms. */
const longestLockMs = 24 * 3_600_000;

/** The wrong PINs of one customer or one phone. Times in ms since 1970. */
export interface WrongCount {
  readonly wrong: number;
  /** Consecutive locks. */
  readonly locks: number;
  readonly lockedUntilMs: number | undefined;
  readonly lastWrongAtMs: number | undefined;
}

export const noneWrong: WrongCount = { wrong: 0, locks: 0, lockedUntilMs: undefined, lastWrongAtMs: undefined };

/** The current count: after a lock attempts are free again, but the next lock lasts twice as long. */
export function countNow(count: WrongCount, nowMs: number, subject: 'customer' | 'phone'): WrongCount {
  const { lockedUntilMs, lastWrongAtMs } = count;
  if (lockedUntilMs !== undefined && lockedUntilMs > nowMs) return count;
  const isForgotten = lastWrongAtMs !== undefined && lastWrongAtMs + phoneMemoryMs <= nowMs;
  if (subject === 'phone' && isForgotten) return noneWrong;
  return lockedUntilMs === undefined ? count : { ...count, wrong: 0, lockedUntilMs: undefined };
}

/** Remaining lock time of a count, in ms; 0 if it is not locked. */
export function lockedFor(count: WrongCount, nowMs: number): number {
  return Math.max(0, (count.lockedUntilMs ?? nowMs) - nowMs);
}

/** Takes one attempt, as if it were wrong. */
export function takeOne(count: WrongCount, nowMs: number, limits: AttemptLimits): WrongCount {
  const wrong = count.wrong + 1;
  if (wrong < limits.attempts) return { ...count, wrong, lastWrongAtMs: nowMs };
  const lockMs = Math.min(limits.lockMs * 2 ** count.locks, Math.max(longestLockMs, limits.lockMs));
  return { wrong, locks: count.locks + 1, lockedUntilMs: nowMs + lockMs, lastWrongAtMs: nowMs };
}

/** Returns attempts that were not wrong, with the lock that they caused. */
export function giveBack(count: WrongCount, attempts: number, limits: AttemptLimits): WrongCount {
  const wrong = Math.max(0, count.wrong - attempts);
  if (count.lockedUntilMs === undefined || wrong >= limits.attempts) return { ...count, wrong };
  return { ...count, wrong, locks: Math.max(0, count.locks - 1), lockedUntilMs: undefined };
}
