import type { ResumePoint, ResumeUpdate } from './resume-point.js';
import type { SessionRecord } from './session-record.js';

/**
 * A gateway's session ids are not unique across subscribers, so the number belongs to the key; and no aggregator reaches the sessions of
 * another, whatever it says of ids and numbers.
 */
export interface SessionKey {
  /** The id of the aggregator that it came by, and the service that was dialled: a line (`line.ts`). */
  readonly aggregator: string;
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
  | {
      readonly kind: 'held';
      readonly lock: string;
      readonly session: StoredSession | undefined;
      /** What the last session of this number and code left, if it was asked for. */
      readonly lostPlace?: ResumePoint | undefined;
    };

/** What came of a guess: it was right, or the session is as it was found. */
export type Swap =
  | {
      readonly kind: 'saved';
      /** How long the session was to live yet, in ms. */
      readonly leftMs: number;
    }
  | Hold;

/**
 * Sessions between hops, and the lock that keeps each to one writer at a time, across processes.
 *
 * Guarantees: `hold` takes the lock and reads in one atomic step. `save` writes and lets go in one atomic step, and
 * only for who still has the lock, so a writer that was too slow changes nothing. Times are measured by the store's
 * own clock, to the millisecond: a session is live for exactly as long as it was saved for. Space is bounded: nothing
 * stays beyond a session's life and the time it is known as gone, or its lost place is. One round trip per method, `listLive` and `findLive`
 * aside. A store that cannot be reached rejects; nothing was changed then, or `save` was done whole.
 */
export interface SessionStore {
  /**
   * @param lockMs after this time the lock is free for others, should the holder have died.
   * @param dialled the service code of a dial: what a lost session left for it is then read too.
   */
  hold(key: SessionKey, lockMs: number, dialled?: string): Promise<Hold>;

  /** Keeps the lock for so long from now. False if it was lost. */
  renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean>;

  /**
   * Saves the session and lets go of it.
   *
   * @param liveMs how long it is live from now; 0 for one that has ended.
   * @param legacy without it nothing is left, and nothing taken back.
   * @returns false, and nothing was written, if the lock was lost.
   */
  save(lock: string, record: SessionRecord, liveMs: number, legacy?: ResumeUpdate): Promise<boolean>;

  /** Lets go without a change. Harmless if the lock was lost. */
  release(key: SessionKey, lock: string): Promise<void>;

  /** The live session of an id on some lines; of several with the same id, the one where a key was pressed last. */
  findLive(sessionId: string, lines: readonly string[]): Promise<SessionRecord | undefined>;

  /** Ids of all live sessions of a service, each once, in no particular order. Reads an index, never all keys. */
  listLive(service: string): Promise<string[]>;

  /** How many sessions of a service are live. */
  countLive(service: string): Promise<number>;
}

/**
 * A store so far away that a round trip is worth a guess: whoever knows what is stored of a session, or that nothing is, saves at once what a hop
 * makes of it.
 */
export interface FarSessionStore extends SessionStore {
  /** What this process saved last of a live session, if it still knows that. Another process may have saved it since, and its time may be over. */
  lastSaved(key: SessionKey): SessionRecord | undefined;

  /**
   * Saves a session that was not held before, in one atomic step: if nobody else holds it, and what is stored is `known` and live or, where that is
   * undefined, nothing is, nor a place that a lost session left for this dial. Else it is held and read, as by `hold`.
   */
  swap(
    known: SessionRecord | undefined,
    record: SessionRecord,
    lockMs: number,
    liveMs: number,
    legacy?: ResumeUpdate,
  ): Promise<Swap>;
}

export function isFar(store: SessionStore): store is FarSessionStore {
  return 'swap' in store;
}

/** How long an ended or expired session is known as gone, in ms. */
export const expiredRetentionMs = 10 * 60_000;

/** Names a session within a process. Neither an aggregator's id nor a number has spaces, so names cannot be mistaken for each other. */
export function sessionName({ aggregator, phoneNumber, sessionId }: SessionKey): string {
  return `${aggregator} ${phoneNumber} ${sessionId}`;
}

/** The id in the name of a session. */
export function sessionIdIn(name: string): string {
  return name.slice(name.indexOf(' ', name.indexOf(' ') + 1) + 1);
}

/** Names a place within a process. */
export function resumePointName({ aggregator, phoneNumber }: SessionKey, serviceCode: string): string {
  return `${aggregator} ${phoneNumber} ${serviceCode}`;
}
