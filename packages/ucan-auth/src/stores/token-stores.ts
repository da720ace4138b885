/**
 * Stores revocations.
 *
 * A revocation names the CID of a UCAN and the DID that revokes it. It applies to every proof chain with that UCAN in which that
 * DID is an issuer: an issuer can revoke its own grants and everything that depends on them, and nothing else.
 */
export interface RevocationStore {
  /**
   * Stores a revocation; idempotent, the later expiry wins. It may be dropped after `expiresAt` (Unix seconds; Infinity for a
   * UCAN without expiry), when the UCAN has expired. After the promise is fulfilled every `isAnyRevoked` sees it. `full`: it is
   * not stored, because its issuer has reached its quota; a stored revocation can be stored again. Rejects if it is not stored
   * for any other reason, such as a full store.
   */
  revoke(revocation: {
    readonly cid: string;
    readonly issuer: string;
    readonly expiresAt: number;
  }): Promise<'recorded' | 'full'>;
  /** Whether one of these UCANs was revoked by one of their issuers. Rejects if the store is unavailable. */
  isAnyRevoked(path: readonly { readonly cid: string; readonly issuer: string }[]): Promise<boolean>;
}

/** Limits of stored revocations. DIDs are free to create, so there is one for each issuer and one for all. */
export interface RevocationQuota {
  /** Per issuer. Default 1,000. */
  readonly perIssuer?: number;
  /** Limit for all issuers. Default 1,000,000; in memory 100,000. */
  readonly inAll?: number;
}

/** Stores which single-use tokens were used: `authorize` in `auth.ts` claims each once. */
export interface ReplayStore {
  /**
   * Claims a token by the CID of its UCAN. True for exactly one caller, among concurrent callers on all replicas; false for all others
   * until `expiresAt` (Unix seconds), after which the claim may be dropped. Rejects if the store is unavailable.
   */
  claim(cid: string, expiresAt: number): Promise<boolean>;
}

export const REVOCATIONS_PER_ISSUER = 1000;
export const REVOCATIONS_IN_ALL = 1_000_000;

/** Records are stored this much longer than their token: the clock of another replica may be late. */
export const GRACE_SECONDS = 60;

/**
 * Checks the expiry of a record: Unix seconds, or Infinity.
 * @throws {RangeError} if it is not a number
 */
export function checkExpiry(expiresAt: number): void {
  if (Number.isNaN(expiresAt)) throw new RangeError('an expiry is a time in Unix seconds, or Infinity');
}

/**
 * Lifetime of a record in whole seconds, at least one; undefined if the token never expires.
 * @throws {RangeError} if the expiry is not a number
 */
export function secondsLeft(expiresAt: number, nowSeconds: number): number | undefined {
  checkExpiry(expiresAt);
  if (expiresAt === Number.POSITIVE_INFINITY) return undefined;
  return Math.max(1, Math.ceil(expiresAt - nowSeconds) + GRACE_SECONDS);
}

/** The system clock in Unix seconds. */
export function systemSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
