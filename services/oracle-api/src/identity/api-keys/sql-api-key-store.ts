import { and, desc, eq, lte, sql } from 'drizzle-orm';
import type { OracleDatabase } from '../../store/oracle-database.js';
import { lockCreation } from '../../store/sql-conversation-store.js';
import { isStorable } from '../../store/storable.js';
import { withoutNulls } from '../../store/without-nulls.js';
import { apiKeys } from '../schema.js';
import type { ApiKeyStore } from './api-key-store.js';

/** API keys in Postgres or PGlite. */
export function sqlApiKeyStore(db: OracleDatabase): ApiKeyStore {
  // Every request with a key asks this, so it is put together once.
  const byId = db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.keyId, sql.placeholder('keyId')))
    .prepare('find_api_key');

  return {
    add: (key, most) =>
      db.transaction(async (tx) => {
        const { ownerDid, createdAt } = key;
        // It waits for a deletion of all that is its owner's, too.
        await lockCreation(tx, ownerDid);
        await tx.delete(apiKeys).where(and(eq(apiKeys.ownerDid, ownerDid), lte(apiKeys.expiresAt, createdAt)));
        if ((await tx.$count(apiKeys, eq(apiKeys.ownerDid, ownerDid))) >= most) return 'full';
        await tx.insert(apiKeys).values(key);
        return 'added';
      }),

    async find(keyId) {
      const [row] = await byId.execute({ keyId });
      return row && withoutNulls(row);
    },

    async list(ownerDid) {
      const newestFirst = [desc(apiKeys.createdAt), desc(apiKeys.keyId)];
      const rows = await db
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.ownerDid, ownerDid))
        .orderBy(...newestFirst);
      return rows.map(withoutNulls);
    },

    async noteUse(keyId, at) {
      await db.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.keyId, keyId));
    },

    async delete(ownerDid, keyId) {
      if (!isStorable(keyId)) return false;
      const isTheirs = and(eq(apiKeys.ownerDid, ownerDid), eq(apiKeys.keyId, keyId));
      const deleted = await db.delete(apiKeys).where(isTheirs).returning({ keyId: apiKeys.keyId });
      return deleted.length > 0;
    },
  };
}
