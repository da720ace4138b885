import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { type PostgresStoreOptions, storedExpiry, sweepEvery } from './postgres-expiry.js';
import { ucanReplays } from './postgres-schema.js';
import type { ReplayStore } from './replay-store.js';

/**
 * Used tokens in Postgres, embedded or a server, in the table `ucan_replays`: whoever inserts the row has the claim. As new
 * ones come, those of tokens that expired more than a minute ago are deleted, a thousand at a time.
 */
export function postgresReplayStore<TSchema extends Record<string, unknown>>(
  db: PgDatabase<PgQueryResultHKT, TSchema>,
  options: PostgresStoreOptions = {},
): ReplayStore {
  const sweep = sweepEvery(100, db, ucanReplays, options);
  return {
    async claim(cid, expiresAt) {
      const rows = await db
        .insert(ucanReplays)
        .values({ cid, expiresAt: storedExpiry(expiresAt) })
        .onConflictDoNothing()
        .returning({ cid: ucanReplays.cid });
      await sweep();
      return rows.length === 1;
    },
  };
}
