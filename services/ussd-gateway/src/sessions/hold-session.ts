import type { Hold, SessionKey, SessionStore } from './session-store.js';
import type { Deadline } from './with-deadline.js';

/** A dead process blocks its session no longer than this part of the deadline, so that who waits can still answer. */
const lockShare = 0.6;

export interface Locks {
  readonly store: SessionStore;
  readonly hopDeadlineMs: number;
}

/** Waits between two looks at a session that another process is at, in ms. */
const pausesMs = [5, 10, 20, 40, 80] as const;

/** Takes the session's lock as soon as it is free. @throws {ServiceError} when the deadline is over before. */
export async function holdSession(
  key: SessionKey,
  from: Locks,
  deadline: Deadline,
  dialled?: string,
): Promise<Extract<Hold, { kind: 'held' }>> {
  const lockMs = lockMsOf(from);
  for (let look = 0; ; look++) {
    const hold = await from.store.hold(key, lockMs, dialled);
    if (hold.kind === 'held') return hold;
    await new Promise((resolve) => setTimeout(resolve, pausesMs[Math.min(look, pausesMs.length - 1)]));
    deadline.throwIfAborted();
  }
}

/** Keeps a lock until the timer is cleared. If it is lost all the same, the save says so. */
export function keepLock(key: SessionKey, lock: string, of: Locks): NodeJS.Timeout {
  const lockMs = lockMsOf(of);
  const renew = () => void of.store.renew(key, lock, lockMs).catch(() => {});
  return setInterval(renew, Math.ceil(lockMs / 3)).unref();
}

function lockMsOf({ hopDeadlineMs }: Locks): number {
  return Math.ceil(hopDeadlineMs * lockShare);
}
