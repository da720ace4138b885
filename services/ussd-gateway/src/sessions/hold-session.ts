import { setTimeout as sleep } from 'node:timers/promises';
import type { Hold, SessionKey, SessionStore } from './session-store.js';
import type { Deadline } from './with-deadline.js';

/** A dead process blocks its session no longer than this part of the deadline, so that who waits can still answer. */
const lockShare = 0.6;

/** Waits between two looks at a session that another process is at, in ms. */
const pausesMs = [5, 10, 20, 40, 80] as const;

/** Takes the session's lock as soon as it is free. @throws {ServiceError} when the deadline is over before. */
export async function holdSession(
  key: SessionKey,
  from: { readonly store: SessionStore; readonly hopDeadlineMs: number },
  deadline: Deadline,
  dialled?: string,
): Promise<Extract<Hold, { kind: 'held' }>> {
  const lockMs = Math.ceil(from.hopDeadlineMs * lockShare);
  for (let look = 0; ; look++) {
    const hold = await from.store.hold(key, lockMs, dialled);
    if (hold.kind === 'held') return hold;
    await sleep(pausesMs[Math.min(look, pausesMs.length - 1)], undefined, { signal: deadline.signal });
  }
}
