import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../store/schema.js';

/** Keys that users have made for scripts: what was shown of one is kept as a hash alone. */
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
    /** To the hour; null until then. */
    lastUsedAt: moment('last_used_at'),
    /** The invocation that made it. Null for keys of releases before 0.3. */
    madeBy: jsonb('made_by').$type<{ readonly cid: string; readonly issuer: string }>(),
  },
  (table) => [index('api_keys_owner_idx').on(table.ownerDid)],
);
