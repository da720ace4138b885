import type { ResumePoint, ResumeUpdate } from './resume-point.js';
import type { SessionRecord } from './session-record.js';

/** Identifies a session. Session ids of an aggregator are not unique across subscribers, so the number belongs to the key. */
export interface SessionKey {
  /** The aggregator and the tenant (`../session-scope.ts`): no aggregator reaches the sessions of another. */
  readonly aggregator: string;
  readonly sessionId: string;
  readonly phoneNumber: string;
}

/** A session is live until it expires or ends; it is then stored as `past` for a while, to answer late retries. */
export interface StoredSession {
  readonly phase: 'live' | 'past';
  readonly record: SessionRecord;
}

export type Hold =
  /** Another hop of this session is running. */
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'held';
      readonly lock: string;
      readonly session: StoredSession | undefined;
      /** Resume point of the last session of this number and service code, if it was requested. */
      readonly resumePoint?: ResumePoint | undefined;
    };

/**
 * Stores sessions between hops, and the lock that gives each session one writer at a time across processes.
 *
 * Guarantees: `hold` locks and reads in one atomic step. `save` writes and releases in one atomic step, and only while the lock is
 * valid. Times are measured by the store's clock, to the millisecond. Space is bounded: nothing stays beyond the life of a session, its
 * retention and its resume point. Each method is one round trip, except `listLive` and `findLive`. An unavailable store rejects; then
 * nothing was changed, or `save` was done completely.
 */
export interface SessionStore {
  /**
   * @param lockMs after this time the lock expires, in case its holder died.
   * @param dialled the service code of a dial, to read the resume point too.
   */
  hold(key: SessionKey, lockMs: number, dialled?: string): Promise<Hold>;

  /** Extends the lock. False if it expired. */
  renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean>;

  /**
   * Saves the session and releases the lock.
   *
   * @param liveMs how long the session is live from now; 0 if it has ended.
   * @param resume without it the resume point is unchanged.
   * @returns false, and nothing was written, if the lock expired.
   */
  save(lock: string, record: SessionRecord, liveMs: number, resume?: ResumeUpdate): Promise<boolean>;

  /** Releases without a change. Harmless if the lock expired. */
  release(key: SessionKey, lock: string): Promise<void>;

  /** The live session of an id in some scopes; of several with one id, the one that was saved last. */
  findLive(sessionId: string, scopes: readonly string[]): Promise<SessionRecord | undefined>;

  /** Ids of all live sessions of a tenant, each once, in no particular order. Reads an index, never all keys. */
  listLive(tenant: string): Promise<string[]>;

  /** Number of live sessions of a tenant. */
  countLive(tenant: string): Promise<number>;
}

/** How long an ended or expired session is stored, in ms. */
export const expiredRetentionMs = 10 * 60_000;

/** Names a session in a process. Ids of aggregators and numbers have no spaces, so names are unambiguous. */
export function sessionName({ aggregator, phoneNumber, sessionId }: SessionKey): string {
  return `${aggregator} ${phoneNumber} ${sessionId}`;
}

/** The session id in a name. */
export function sessionIdIn(name: string): string {
  return name.slice(name.indexOf(' ', name.indexOf(' ') + 1) + 1);
}

/** Names a resume point in a process. */
export function resumePointName({ aggregator, phoneNumber }: SessionKey, serviceCode: string): string {
  return `${aggregator} ${phoneNumber} ${serviceCode}`;
}
