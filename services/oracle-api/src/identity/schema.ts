import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../store/schema.js';

/** Keys of users for scripts; only the hash of the secret is stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    keyId: text('key_id').primaryKey(),
    ownerDid: text('owner_did').notNull(),
    name: text('name').notNull(),
    scopes: jsonb('scopes').$type<readonly ApiKeyScope[]>().notNull(),
    hash: text('hash').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Last use, to the hour; null before the first. */
    lastUsedAt: moment('last_used_at'),
    /** The invocation that created it. Null for keys of releases before 0.3. */
    madeBy: jsonb('made_by').$type<{ readonly cid: string; readonly issuer: string }>(),
  },
  (table) => [index('api_keys_owner_idx').on(table.ownerDid)],
);
