import { and, inArray, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { type PostgresStoreOptions, storedExpiry, sweepEvery } from './postgres-expiry.js';
import { ucanRevocations } from './postgres-schema.js';
import type { RevocationStore } from './revocation-store.js';

/**
 * Revocations in Postgres, embedded or a server, in the table `ucan_revocations`. As new ones come, those of UCANs that
 * expired more than a minute ago are deleted, a thousand at a time.
 */
export function postgresRevocationStore<TSchema extends Record<string, unknown>>(
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  options: PostgresStoreOptions = {},
): RevocationStore {
  const sweep = sweepEvery(100, db, ucanRevocations, options);
  return {
    async revoke({ cid, issuer, expiresAt }) {
      await db
        .insert(ucanRevocations)
        .values({ cid, issuer, expiresAt: storedExpiry(expiresAt) })
        .onConflictDoUpdate({
          target: [ucanRevocations.cid, ucanRevocations.issuer],
          set: { expiresAt: sql`greatest(${ucanRevocations.expiresAt}, excluded.expires_at)` },
        });
      await sweep();
    },
    async isAnyRevoked(path) {
      if (path.length === 0) return false;
      const cids = path.map((ucan) => ucan.cid);
      const issuers = [...new Set(path.map((ucan) => ucan.issuer))];
      const rows = await db
        .select({ cid: ucanRevocations.cid })
        .from(ucanRevocations)
        .where(and(inArray(ucanRevocations.cid, cids), inArray(ucanRevocations.issuer, issuers)))
        .limit(1);
      return rows.length > 0;
    },
  };
}
