/** Stores which single-use tokens were used. */
export interface ReplayStore {
  /**
   * Claims a token by the CID of its UCAN. True for exactly one caller, among concurrent callers on all replicas; false for all others
   * until `expiresAt` (Unix seconds), after which the claim may be dropped. Rejects if the store is unavailable.
   */
  claim(cid: string, expiresAt: number): Promise<boolean>;
}
