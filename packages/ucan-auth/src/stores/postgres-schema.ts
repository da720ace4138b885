import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

// Tables of the Postgres stores. A service adds them to its drizzle schema, and its migrations create them.

/** A table of revocations. Services may share a database, so each service with its own revocations names its table. */
export function revocationTable(name: string) {
  return pgTable(
    name,
    {
      cid: text('cid').notNull(),
      issuer: text('issuer').notNull(),
      /** Unix seconds; the largest safe integer for a UCAN without expiry. */
      expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.cid, table.issuer] }),
      index(`${name}_expires_at`).on(table.expiresAt),
      index(`${name}_issuer`).on(table.issuer),
    ],
  );
}

/** The default table of `postgresRevocationStore`. */
export const ucanRevocations = revocationTable('ucan_revocations');

/** Used single-use tokens. */
export const ucanReplays = pgTable(
  'ucan_replays',
  {
    cid: text('cid').primaryKey(),
    /** Unix seconds. */
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('ucan_replays_expires_at').on(table.expiresAt)],
);
