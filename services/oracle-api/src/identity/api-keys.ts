import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import type { Caller } from '@mlango/ucan-auth/auth-outcome';
import type { ApiKeyStore, StoredApiKey } from './sql-api-key-store.js';

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresInDays: number;
}

/** Keys that one user may have at a time. */
export const keysPerUser = 20;

/** `mlk_`, an id that may be told, and 32 random bytes that may not; both in base64url. */
const keyPattern = /^mlk_([\w-]{12})[\w-]{43}$/;
const idBytes = 9;
const secretBytes = 32;

/** When a key was last used is known to the hour: a write for each request would cost more than it tells. */
const usedWithinMs = 3_600_000;

/** Whether a bearer token means to be an API key. */
export function isApiKey(bearer: string): boolean {
  return bearer.startsWith('mlk_');
}

/** Keys for scripts that cannot sign: they speak for the user who made them, as far as their scopes go. */
export class ApiKeys {
  readonly #store: ApiKeyStore;
  readonly #now: () => Date;
  readonly #isRevoked: (path: Caller['path']) => Promise<boolean>;

  /** @param isRevoked whether one of these tokens was revoked; rejects where that cannot be told */
  constructor(store: ApiKeyStore, now: () => Date, isRevoked: (path: Caller['path']) => Promise<boolean>) {
    this.#store = store;
    this.#now = now;
    this.#isRevoked = isRevoked;
  }

  /** A new key, whose text nobody can have a second time. It ends with the token of the caller's path. `full`: there are `keysPerUser`. */
  async make(
    { did: ownerDid, path: [madeBy] }: Pick<Caller, 'did' | 'path'>,
    { expiresInDays, ...said }: NewApiKey,
  ): Promise<(StoredApiKey & { key: string }) | 'full'> {
    const keyId = randomBytes(idBytes).toString('base64url');
    const key = `mlk_${keyId}${randomBytes(secretBytes).toString('base64url')}`;
    const createdAt = this.#now();
    const expiresAt = new Date(createdAt.getTime() + expiresInDays * 86_400_000);
    const hash = hashOf(key).toString('base64url');
    const stored = { ...said, keyId, ownerDid, hash, createdAt, expiresAt, ...(madeBy && { madeBy }) };
    const added = await this.#store.add(stored, keysPerUser);
    return added === 'full' ? 'full' : { ...stored, key };
  }

  /** For whom a key speaks, and how far; nothing for one that is unknown, has expired or was revoked. */
  async admit(key: string): Promise<StoredApiKey | undefined> {
    const keyId = keyPattern.exec(key)?.[1];
    const stored = keyId === undefined ? undefined : await this.#store.find(keyId);
    if (stored === undefined || !timingSafeEqual(hashOf(key), Buffer.from(stored.hash, 'base64url'))) return undefined;
    const now = this.#now();
    if (stored.expiresAt <= now) return undefined;
    if (stored.madeBy !== undefined && (await this.#isRevoked([stored.madeBy]))) return undefined;
    const { lastUsedAt } = stored;
    const isNoted = lastUsedAt !== undefined && now.getTime() - lastUsedAt.getTime() < usedWithinMs;
    if (!isNoted) await this.#store.noteUse(stored.keyId, now);
    return stored;
  }

  list(ownerDid: string): Promise<readonly StoredApiKey[]> {
    return this.#store.list(ownerDid);
  }

  revoke(ownerDid: string, keyId: string): Promise<boolean> {
    return this.#store.delete(ownerDid, keyId);
  }
}

/** Without salt or stretching: what is hashed is as long as it is random. */
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
