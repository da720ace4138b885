import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { and, desc, eq, lte, sql } from 'drizzle-orm';
import type { OracleDatabase } from '../store/database.js';
import { lockCreation } from '../store/sql-sessions.js';
import { isStorable, withoutNulls } from '../store/storable.js';
import { apiKeys } from './schema.js';

/** A stored key, with a hash instead of its text. */
export interface StoredApiKey {
  readonly keyId: string;
  readonly ownerDid: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** SHA-256 of the whole key, base64url. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt?: Date;
  /** The invocation that created it; its revocation revokes the key. Absent for keys of releases before 0.3. */
  readonly madeBy?: { readonly cid: string; readonly issuer: string };
}

/**
 * Stores API keys.
 *
 * Atomicity: concurrent additions never exceed the maximum.
 * Failure: an unavailable store rejects.
 */
export interface ApiKeyStore {
  /** Stores a key and deletes the owner's expired ones. `full`: the owner has `most` valid keys. */
  add(key: StoredApiKey, most: number): Promise<'added' | 'full'>;
  find(keyId: string): Promise<StoredApiKey | undefined>;
  /** Newest first. */
  list(ownerDid: string): Promise<readonly StoredApiKey[]>;
  noteUse(keyId: string, at: Date): Promise<void>;
  /** Whether the owner had the key. */
  delete(ownerDid: string, keyId: string): Promise<boolean>;
}

/** API keys in Postgres or PGlite. */
export function sqlApiKeyStore(db: OracleDatabase): ApiKeyStore {
  // Prepared once, since every request with a key runs it.
  const byId = db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.keyId, sql.placeholder('keyId')))
    .prepare('find_api_key');

  return {
    add: (key, most) =>
      db.transaction(async (tx) => {
        const { ownerDid, createdAt } = key;
        // Also waits for a running deletion of the owner's account.
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
