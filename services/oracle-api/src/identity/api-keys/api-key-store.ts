import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';

/** A key as it is kept: what was shown of it once is kept as a hash alone. */
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
  /** The invocation that made it: once that is revoked, the key is. Absent for keys of releases before 0.3. */
  readonly madeBy?: { readonly cid: string; readonly issuer: string };
}

/**
 * Keys that users have made for scripts.
 *
 * Atomicity: of additions at one time no more are taken than there may be.
 * Failure: a store that cannot be reached rejects.
 */
export interface ApiKeyStore {
  /** Keeps it, and drops those of its owner that expired before it was made. `full`: they have `most` that are good. */
  add(key: StoredApiKey, most: number): Promise<'added' | 'full'>;
  find(keyId: string): Promise<StoredApiKey | undefined>;
  /** Newest first. */
  list(ownerDid: string): Promise<readonly StoredApiKey[]>;
  noteUse(keyId: string, at: Date): Promise<void>;
  /** Whether there was one of that owner. */
  delete(ownerDid: string, keyId: string): Promise<boolean>;
}
