import type { SessionRecord } from './session-record.js';

/** A gateway's session ids are not unique across subscribers, so the number belongs to the key. */
export interface SessionKey {
  readonly sessionId: string;
  readonly phoneNumber: string;
}

/** A session is live until its time runs out or it ends; then it is known as gone for a while, for late retries. */
export interface StoredSession {
  readonly phase: 'live' | 'gone';
  readonly record: SessionRecord;
}

export type Hold =
  /** Another hop of this session is being run. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'held'; readonly lock: string; readonly session: StoredSession | undefined };

/**
 * Sessions between hops, and the lock that keeps each to one writer at a time, across processes.
 *
 * Guarantees: `hold` takes the lock and reads in one atomic step. `save` writes and lets go in one atomic step, and
 * only for who still has the lock, so a writer that was too slow changes nothing. Times are measured by the store's
 * own clock, to the millisecond: a session is live for exactly as long as it was saved for. Space is bounded: nothing
 * stays beyond a session's life and the time it is known as gone. One round trip per method, `listLive` and `findLive`
 * aside. A store that cannot be reached rejects; nothing was changed then, or `save` was done whole.
 */
export interface SessionStore {
  /** @param lockMs after this time the lock is free for others, should the holder have died. */
  hold(key: SessionKey, lockMs: number): Promise<Hold>;

  /**
   * Saves the session and lets go of it.
   *
   * @param liveMs how long it is live from now; 0 for one that has ended.
   * @returns false, and nothing was written, if the lock was lost.
   */
  save(lock: string, record: SessionRecord, liveMs: number): Promise<boolean>;

  /** Lets go without a change. Harmless if the lock was lost. */
  letGo(key: SessionKey, lock: string): Promise<void>;

  /** The live session of an id; of several subscribers with the same id, the one who pressed a key last. */
  findLive(sessionId: string): Promise<SessionRecord | undefined>;

  /** Ids of all live sessions, each once, in no particular order. Reads an index, never all keys. */
  listLive(): Promise<string[]>;
}

/** How long an ended or expired session is known as gone, in ms. */
export const goneMs = 10 * 60_000;
