import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import type { Caller } from '@mlango/ucan-auth/auth-outcome';
import type { ApiKeyStore, StoredApiKey } from './api-key-store.js';

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresInDays: number;
}

/** Maximum number of keys of one user. */
export const keysPerUser = 20;

/** `mlk_`, a public id, and 32 secret random bytes, both in base64url. */
const keyPattern = /^mlk_([\w-]{12})[\w-]{43}$/;
const idBytes = 9;
const secretBytes = 32;

/** Precision of the last use, which saves a write per request. */
const usedWithinMs = 3_600_000;

/** Whether a bearer token has the form of an API key. */
export function isApiKey(bearer: string): boolean {
  return bearer.startsWith('mlk_');
}

/** Keys for scripts that cannot sign. A key acts for its user within its scopes. */
export class ApiKeys {
  readonly #store: ApiKeyStore;
  readonly #now: () => Date;
  readonly #isRevoked: (path: Caller['path']) => Promise<boolean>;

  /** @param isRevoked whether one of these tokens was revoked; rejects if unknown */
  constructor(store: ApiKeyStore, now: () => Date, isRevoked: (path: Caller['path']) => Promise<boolean>) {
    this.#store = store;
    this.#now = now;
    this.#isRevoked = isRevoked;
  }

  /** Creates a key and returns its text, which is not stored. It is revoked with the caller's token. `full`: the user has `keysPerUser`. */
  async make(
    { did: ownerDid, path: [madeBy] }: Pick<Caller, 'did' | 'path'>,
    { expiresInDays, ...fields }: NewApiKey,
  ): Promise<(StoredApiKey & { key: string }) | 'full'> {
    const keyId = randomBytes(idBytes).toString('base64url');
    const key = `mlk_${keyId}${randomBytes(secretBytes).toString('base64url')}`;
    const createdAt = this.#now();
    const expiresAt = new Date(createdAt.getTime() + expiresInDays * 86_400_000);
    const hash = hashOf(key).toString('base64url');
    const stored = { ...fields, keyId, ownerDid, hash, createdAt, expiresAt, ...(madeBy && { madeBy }) };
    const added = await this.#store.add(stored, keysPerUser);
    return added === 'full' ? 'full' : { ...stored, key };
  }

  /** User and scopes of a key; undefined for one that is unknown, expired or revoked. */
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

/** No salt or stretching, since the input is 32 random bytes. */
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
