import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

// The tables of the Postgres stores. A service adds them to its own drizzle schema, and its migrations create them.

/**
 * A table of UCANs that one of their issuers revoked. Services may share one database, so each that has revocations of its own names
 * its table.
 */
export function revocationTable(name: string) {
  return pgTable(
    name,
    {
      cid: text('cid').notNull(),
      issuer: text('issuer').notNull(),
      /** Unix seconds; beyond all clocks for a UCAN that never expires. */
      expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.cid, table.issuer] }),
      index(`${name}_expires_at`).on(table.expiresAt),
      index(`${name}_issuer`).on(table.issuer),
    ],
  );
}

/** The table of the store unless it is given another one. */
export const ucanRevocations = revocationTable('ucan_revocations');

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
