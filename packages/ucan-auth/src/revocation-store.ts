export type { RevocationQuota } from './revocation-quota.js';

/**
 * Which UCANs their issuers took back.
 *
 * A revocation names the CID of one UCAN and the DID that takes it back; it counts wherever that DID is an issuer on the
 * path, so a principal can stop what it granted and everything built on it, and nobody else's.
 */
export interface RevocationStore {
  /**
   * Records a revocation; doing so twice is doing it once, until the later expiry. It may be forgotten after `expiresAt`
   * (Unix seconds; Infinity for a UCAN that never expires), when the UCAN has expired anyway. Once the promise is fulfilled
   * every later question sees it. `full`: it is not, as there are as many of this issuer as may be kept; what is recorded
   * already can be recorded again. Rejects when it is not recorded for any other reason, such as a store that is full.
   */
  revoke(revocation: {
    readonly cid: string;
    readonly issuer: string;
    readonly expiresAt: number;
  }): Promise<'recorded' | 'full'>;
  /** Whether one of these UCANs was revoked by one of their issuers. Rejects when it cannot tell. */
  isAnyRevoked(path: readonly { readonly cid: string; readonly issuer: string }[]): Promise<boolean>;
}
