import { and, eq, gt } from 'drizzle-orm';
import type { OracleDatabase } from './database.js';
import { delegations } from './schema.js';
import { withoutNulls } from './storable.js';
/** A stored delegation from a user to this oracle, encrypted. */
export interface SealedDelegation {
  readonly sealed: string;
  /** Unix seconds; absent for a delegation without an expiry. */
  readonly expiresAt?: number;
}

/**
 * One delegation per user. It is encrypted before it is stored, and the reader checks its expiry.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface DelegationStore {
  find(ownerDid: string): Promise<SealedDelegation | undefined>;
  /** Replaces the previous one. */
  put(ownerDid: string, delegation: SealedDelegation): Promise<void>;
  /** The next page in the order of users, after the given one or from the beginning (`''`). */
  list(afterDid: string, limit: number): Promise<readonly { readonly ownerDid: string; readonly sealed: string }[]>;
  /** Replaces an unchanged record by a re-encrypted one; false when it has changed or was deleted meanwhile. */
  reseal(ownerDid: string, before: string, sealed: string): Promise<boolean>;
  /** False when it is absent. */
  delete(ownerDid: string): Promise<boolean>;
}

const { ownerDid, sealed, expiresAt } = delegations;

/** Delegations in Postgres or PGlite. */
export function sqlDelegationStore(db: OracleDatabase): DelegationStore {
  return {
    async find(did) {
      const [row] = await db.select({ sealed, expiresAt }).from(delegations).where(eq(ownerDid, did));
      return row && withoutNulls(row);
    },

    async put(did, delegation) {
      const row = { expiresAt: null, ...delegation };
      await db
        .insert(delegations)
        .values({ ownerDid: did, ...row })
        .onConflictDoUpdate({ target: ownerDid, set: row });
    },

    list: (afterDid, limit) =>
      db.select({ ownerDid, sealed }).from(delegations).where(gt(ownerDid, afterDid)).orderBy(ownerDid).limit(limit),

    async reseal(did, before, now) {
      const isThat = and(eq(ownerDid, did), eq(sealed, before));
      const resealed = await db.update(delegations).set({ sealed: now }).where(isThat).returning({ ownerDid });
      return resealed.length > 0;
    },

    async delete(did) {
      const deleted = await db.delete(delegations).where(eq(ownerDid, did)).returning({ ownerDid });
      return deleted.length > 0;
    },
  };
}
