import { ServiceError } from '@mlango/service-kit/errors';
import type { ResumeUpdate } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import { type Hold, type SessionKey, type SessionStore, sessionName } from './session-store.js';

/** A dead process blocks its session no longer than this part of the deadline, so that who waits can still answer. */
const lockShare = 0.6;

/** Waits between two looks at a session that another process is at, in ms. */
const pausesMs = [5, 10, 20, 40, 80] as const;

export interface SessionLocks {
  readonly store: SessionStore;
  readonly queue: SessionQueue;
  /** The most time a hop may take, waiting for its turn included. */
  readonly hopDeadlineMs: number;
}

/** A session as its one writer finds it. */
export interface LockedSession extends Pick<Extract<Hold, { kind: 'held' }>, 'session' | 'lostPlace'> {
  /** As the store's. False once the lock is lost: what another process made of the session must be read first. */
  readonly save: (record: SessionRecord, liveMs: number, legacy?: ResumeUpdate) => Promise<boolean>;
}

/** A session that was answered on a guess; or as it was found, where the guess was wrong; or undefined, where there was none. */
export type Guessed<Result> = { readonly kind: 'guessed'; readonly result: Result } | Hold | undefined;

export interface Guessing {
  /** For a session that is found held. */
  readonly lockMs: number;
  /** @throws {ServiceError} once the time is over: nothing may be saved then. */
  readonly assertInTime: () => void;
}

export interface LockOptions<Result> {
  readonly limitMs: number;
  /** The service code of a dial, where what a lost session left is to be read too. */
  readonly dialled?: string | undefined;
  /** Told as the session is asked for, first of all. */
  readonly onAsked?: (() => void) | undefined;
  /** Tried first, and while nobody else of this process works on the session. */
  readonly guess?: ((guessing: Guessing) => Promise<Guessed<Result>>) | undefined;
}

/**
 * Runs work on a session while nobody else does, here or in another process. When the time is over the caller gets `deadline_exceeded` at
 * once, and the work saves nothing any more, unless all that it still waits for has arrived by then.
 *
 * @param work one try; undefined, where its save said so, for another one.
 * @throws {ServiceError} `deadline_exceeded`; or whatever the store rejects with when it cannot be reached.
 */
export function withSessionLock<Result>(
  key: SessionKey,
  { store, queue, hopDeadlineMs }: SessionLocks,
  { limitMs, dialled, onAsked, guess }: LockOptions<Result>,
  work: (turn: LockedSession) => Promise<Result | undefined>,
): Promise<Result> {
  const lockMs = Math.ceil(hopDeadlineMs * lockShare);
  const renewEachMs = Math.ceil(lockMs / 3);
  const overAtMs = performance.now() + limitMs;
  let late: ServiceError | undefined;
  let held: string | undefined;
  const assertInTime = () => {
    if (late !== undefined) throw late;
  };

  const ask = (look: number) => {
    assertInTime();
    if (look === 0) onAsked?.();
    return store.hold(key, lockMs, dialled);
  };

  const takeTurns = async () => {
    let found: Hold | undefined;
    if (guess !== undefined) {
      assertInTime();
      const guessed = await guess({ lockMs, assertInTime });
      if (guessed?.kind === 'guessed') return guessed.result;
      found = guessed;
    }
    for (let look = 0; ; look++, found = undefined) {
      found ??= await ask(look);
      if (found.kind === 'busy') {
        await new Promise((resolve) => setTimeout(resolve, pausesMs[Math.min(look, pausesMs.length - 1)]));
        continue;
      }
      const { lock, session, lostPlace } = found;
      held = lock;
      let isSaving = false;
      const save: LockedSession['save'] = (...saved) => {
        assertInTime();
        isSaving = true;
        return store.save(lock, ...saved);
      };
      try {
        const result = await work({ session, lostPlace, save });
        if (result !== undefined) return result;
        look = -1;
      } finally {
        held = undefined;
        // Should even this fail, the lock runs out by itself.
        if (!isSaving) await store.release(key, lock).catch(() => {});
      }
    }
  };

  // One promise and one timer: most hops are over long before it rings, and each of them pays for both.
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      late = new ServiceError('deadline_exceeded', 'The hop took too long');
      reject(late);
    };
    const ring = () => {
      const leftMs = overAtMs - performance.now();
      // Not before what has arrived is looked at: where the process itself stood still, the answer may lie ready.
      if (leftMs <= 0 && late === undefined) setImmediate(giveUp);
      // If the lock is lost all the same, the save says so.
      if (held !== undefined) void store.renew(key, held, lockMs).catch(() => {});
      timer = setTimeout(ring, leftMs > 0 ? Math.min(renewEachMs, leftMs) : renewEachMs);
    };
    let timer = setTimeout(ring, Math.min(renewEachMs, limitMs));
    queue.run(sessionName(key), takeTurns).then(
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

/**
 * Runs the hops of one session one after the other within this process, so that fifty duplicates wait in a line here
 * instead of asking a shared store fifty times for its lock.
 */
export class SessionQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(session: string, work: () => Promise<Result>): Promise<Result> {
    // The next in line does not care how the turn before it went.
    const turn = this.#last.get(session)?.then(work, work) ?? work();
    this.#last.set(session, turn);
    const leave = () => {
      if (this.#last.get(session) === turn) this.#last.delete(session);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** Sessions with a hop under way. */
  get size(): number {
    return this.#last.size;
  }
}
