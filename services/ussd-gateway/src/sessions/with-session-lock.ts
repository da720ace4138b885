import { ServiceError } from '@mlango/service-kit/errors';
import type { ResumeUpdate } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import { type Hold, type SessionKey, type SessionStore, sessionName } from './session-store.js';

/** The lock expires after 60 % of the hop deadline: a hop that waits for a dead process can still answer. */
const lockShare = 0.6;

/** Pauses between attempts to lock a session that another process holds, in ms. */
const pausesMs = [5, 10, 20, 40, 80] as const;

export interface SessionLocks {
  readonly store: SessionStore;
  readonly queue: SessionQueue;
  /** Longest time of a hop, including the wait for the lock. */
  readonly hopDeadlineMs: number;
}

/** A session while this process holds its lock. */
export interface LockedSession extends Pick<Extract<Hold, { kind: 'held' }>, 'session' | 'resumePoint'> {
  /** Saves and releases, as the store does. False if the lock expired: the session must be read again. */
  readonly save: (record: SessionRecord, liveMs: number, resume?: ResumeUpdate) => Promise<boolean>;
}

export interface LockOptions {
  readonly limitMs: number;
  /** The service code of a dial, to read the resume point of a lost session too. */
  readonly dialled?: string | undefined;
  /** Called once, just before the session is read. */
  readonly onRead?: (() => void) | undefined;
}

/**
 * Runs work on a session under its lock, which excludes other hops in this process and in others. After `limitMs` the caller gets
 * `deadline_exceeded`, and the work can no longer save.
 *
 * @param work one attempt; undefined, if its save returned false, to try again.
 * @throws {ServiceError} `deadline_exceeded`; or the error of an unavailable store.
 */
export function withSessionLock<Result>(
  key: SessionKey,
  { store, queue, hopDeadlineMs }: SessionLocks,
  { limitMs, dialled, onRead }: LockOptions,
  work: (locked: LockedSession) => Promise<Result | undefined>,
): Promise<Result> {
  const lockMs = Math.ceil(hopDeadlineMs * lockShare);
  const renewEachMs = Math.ceil(lockMs / 3);
  const deadlineMs = performance.now() + limitMs;
  let late: ServiceError | undefined;
  let held: string | undefined;
  const assertInTime = () => {
    if (late !== undefined) throw late;
  };

  const runLocked = async () => {
    assertInTime();
    onRead?.();
    for (let attempt = 0; ; attempt++) {
      assertInTime();
      const hold = await store.hold(key, lockMs, dialled);
      if (hold.kind === 'busy') {
        await new Promise((resolve) => setTimeout(resolve, pausesMs[Math.min(attempt, pausesMs.length - 1)]));
        continue;
      }
      const { lock, session, resumePoint } = hold;
      held = lock;
      let isSaving = false;
      const save: LockedSession['save'] = (...saved) => {
        assertInTime();
        isSaving = true;
        return store.save(lock, ...saved);
      };
      try {
        const result = await work({ session, resumePoint, save });
        if (result !== undefined) return result;
        attempt = -1;
      } finally {
        held = undefined;
        // If this fails, the lock expires.
        if (!isSaving) await store.release(key, lock).catch(() => {});
      }
    }
  };

  // One promise and one timer: both are a cost of every hop.
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      late = new ServiceError('deadline_exceeded', 'The hop took too long');
      reject(late);
    };
    const onTimer = () => {
      const leftMs = deadlineMs - performance.now();
      // After pending I/O is handled: if the process itself was blocked, the answer may be ready.
      if (leftMs <= 0 && late === undefined) setImmediate(giveUp);
      // If the lock expired, the save returns false.
      if (held !== undefined) void store.renew(key, held, lockMs).catch(() => {});
      timer = setTimeout(onTimer, leftMs > 0 ? Math.min(renewEachMs, leftMs) : renewEachMs);
    };
    let timer = setTimeout(onTimer, Math.min(renewEachMs, limitMs));
    queue.run(sessionName(key), runLocked).then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Runs the hops of one session one after the other in this process, so that duplicates do not poll a shared store for its lock. */
export class SessionQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(session: string, work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.get(session)?.then(work, work) ?? work();
    this.#last.set(session, done);
    const leave = () => {
      if (this.#last.get(session) === done) this.#last.delete(session);
    };
    done.then(leave, leave);
    return done;
  }

  /** Sessions with a running hop. */
  get size(): number {
    return this.#last.size;
  }
}
