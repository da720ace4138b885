/** Which single-use tokens were used. */
export interface ReplayStore {
  /**
   * Claims a token by the CID of its UCAN. True for exactly one caller, however many ask at once and on whichever replica;
   * false for all others until `expiresAt` (Unix seconds), after which it may be forgotten. Rejects when it cannot tell.
   */
  claim(cid: string, expiresAt: number): Promise<boolean>;
}
