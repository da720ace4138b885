import { and, eq, gt } from 'drizzle-orm';
import { type OracleDatabase, withoutNulls } from '../store/database.js';
import { delegations } from '../store/schema.js';
/** A stored delegation from a user to this oracle, encrypted. */
export interface SealedDelegation {
  readonly sealed: string;
  /** Unix seconds; absent for a delegation without an expiry. */
  readonly expiresAt?: number;
}

const { ownerDid, sealed, expiresAt } = delegations;

/**
 * One delegation per user. It is encrypted before it is stored, and the reader checks its expiry.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class DelegationStore {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  async find(did: string): Promise<SealedDelegation | undefined> {
    const [row] = await this.#db.select({ sealed, expiresAt }).from(delegations).where(eq(ownerDid, did));
    return row && withoutNulls(row);
  }

  /** Replaces the previous one. */
  async put(did: string, delegation: SealedDelegation): Promise<void> {
    const row = { expiresAt: null, ...delegation };
    await this.#db
      .insert(delegations)
      .values({ ownerDid: did, ...row })
      .onConflictDoUpdate({ target: ownerDid, set: row });
  }

  /** The next page in the order of users, after `afterDid` or from the beginning (`''`). */
  list(afterDid: string, limit: number): Promise<readonly { readonly ownerDid: string; readonly sealed: string }[]> {
    return this.#db
      .select({ ownerDid, sealed })
      .from(delegations)
      .where(gt(ownerDid, afterDid))
      .orderBy(ownerDid)
      .limit(limit);
  }

  /** Replaces an unchanged record by a re-encrypted one; false when it has changed or was deleted meanwhile. */
  async reseal(did: string, before: string, now: string): Promise<boolean> {
    const isThat = and(eq(ownerDid, did), eq(sealed, before));
    const resealed = await this.#db.update(delegations).set({ sealed: now }).where(isThat).returning({ ownerDid });
    return resealed.length > 0;
  }

  /** False when it is absent. */
  async delete(did: string): Promise<boolean> {
    const deleted = await this.#db.delete(delegations).where(eq(ownerDid, did)).returning({ ownerDid });
    return deleted.length > 0;
  }
}
