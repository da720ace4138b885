import { and, eq, gt } from 'drizzle-orm';
import type { DelegationStore } from './delegation-store.js';
import type { OracleDatabase } from './oracle-database.js';
import { delegations } from './schema.js';
import { withoutNulls } from './without-nulls.js';

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
