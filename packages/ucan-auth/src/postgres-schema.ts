import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

// The tables of the Postgres stores. A service adds them to its own drizzle schema, and its migrations create them.

/** UCANs that one of their issuers took back. */
export const ucanRevocations = pgTable(
  'ucan_revocations',
  {
    cid: text('cid').notNull(),
    issuer: text('issuer').notNull(),
    /** Unix seconds; beyond all clocks for a UCAN that never expires. */
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.cid, table.issuer] }),
    index('ucan_revocations_expires_at').on(table.expiresAt),
    index('ucan_revocations_issuer').on(table.issuer),
  ],
);

/** Single-use tokens that were used. */
export const ucanReplays = pgTable(
  'ucan_replays',
  {
    cid: text('cid').primaryKey(),
    /** Unix seconds. */
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('ucan_replays_expires_at').on(table.expiresAt)],
);
