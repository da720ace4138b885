import { sql } from 'drizzle-orm';
import { bigint, index, pgSequence, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Source of versions: each put takes the next one. */
export const pluginStateVersions = pgSequence('plugin_state_versions');

/** Key-value state of plugins. */
export const pluginState = pgTable(
  'plugin_state',
  {
    plugin: text('plugin').notNull(),
    /** Empty for shared state. */
    ownerDid: text('owner_did').notNull(),
    key: text('key').notNull(),
    /** A JSON text: unlike `jsonb` it can store every JSON string. */
    value: text('value').notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3, mode: 'date' }),
  },
  (table) => [
    primaryKey({ columns: [table.plugin, table.ownerDid, table.key] }),
    index('plugin_state_owner_idx').on(table.ownerDid, table.plugin, table.key),
    index('plugin_state_expires_idx').on(table.expiresAt).where(sql`expires_at is not null`),
  ],
);
