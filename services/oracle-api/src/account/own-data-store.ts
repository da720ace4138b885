import type { KeptRows, OwnRow } from '../plugins/api/own-rows.js';

/** What is gone from the database, and what has to go elsewhere too. */
export interface ForgottenUser {
  /** Rows, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  /** What stays until it has been told, and goes then. */
  readonly kept: readonly KeptRows[];
  readonly sessionIds: readonly string[];
  readonly runIds: readonly string[];
}

/**
 * All that the oracle itself keeps of a user; what plugins keep in tables of their own is theirs to tell.
 *
 * Ownership: every call takes the owner's DID and touches only what is that owner's.
 * Memory: an export reads a few rows at a time, when they are asked for.
 * Atomicity: forgetting is one step. No message is kept, no session made and no run begun for the owner while it is under way:
 * what comes at the same time is before it and gone, or after it and finds nothing.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface OwnDataStore {
  export(ownerDid: string): AsyncIterable<OwnRow>;
  /** Sessions with runs that have not ended, or that wait for their user. */
  busySessions(ownerDid: string): Promise<string[]>;
  /** Deletes the newest messages of somebody who has more than go in one step, a part at a time. Gives how many. */
  thin(ownerDid: string): Promise<number>;
  /** `busy`, and nothing is changed, while a run of the owner has not ended. */
  forget(ownerDid: string): Promise<ForgottenUser | 'busy'>;
}
