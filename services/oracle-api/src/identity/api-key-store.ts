import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { lockCreation } from '../store/conversation-store.js';
import { isStorable, type OracleDatabase, withoutNulls } from '../store/database.js';
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
export class ApiKeyStore {
  readonly #db: OracleDatabase;
  // Prepared once, since every request with a key runs it.
  readonly #byId: ReturnType<typeof findStatement>;

  constructor(db: OracleDatabase) {
    this.#db = db;
    this.#byId = findStatement(db);
  }

  /** Stores a key and deletes the owner's expired ones. `full`: the owner has `most` valid keys. */
  add(key: StoredApiKey, most: number): Promise<'added' | 'full'> {
    return this.#db.transaction(async (tx) => {
      const { ownerDid, createdAt } = key;
      // Also waits for a running deletion of the owner's account.
      await lockCreation(tx, ownerDid);
      await tx.delete(apiKeys).where(and(eq(apiKeys.ownerDid, ownerDid), lte(apiKeys.expiresAt, createdAt)));
      if ((await tx.$count(apiKeys, eq(apiKeys.ownerDid, ownerDid))) >= most) return 'full';
      await tx.insert(apiKeys).values(key);
      return 'added';
    });
  }

  async find(keyId: string): Promise<StoredApiKey | undefined> {
    const [row] = await this.#byId.execute({ keyId });
    return row && withoutNulls(row);
  }

  /** Newest first. */
  async list(ownerDid: string): Promise<readonly StoredApiKey[]> {
    const newestFirst = [desc(apiKeys.createdAt), desc(apiKeys.keyId)];
    const rows = await this.#db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.ownerDid, ownerDid))
      .orderBy(...newestFirst);
    return rows.map(withoutNulls);
  }

  async noteUse(keyId: string, at: Date): Promise<void> {
    await this.#db.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.keyId, keyId));
  }

  /** Whether the owner had the key. */
  async delete(ownerDid: string, keyId: string): Promise<boolean> {
    if (!isStorable(keyId)) return false;
    const isTheirs = and(eq(apiKeys.ownerDid, ownerDid), eq(apiKeys.keyId, keyId));
    const deleted = await this.#db.delete(apiKeys).where(isTheirs).returning({ keyId: apiKeys.keyId });
    return deleted.length > 0;
  }
}

function findStatement(db: OracleDatabase) {
  return db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.keyId, sql.placeholder('keyId')))
    .prepare('find_api_key');
}
