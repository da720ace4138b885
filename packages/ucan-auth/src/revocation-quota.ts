/** How many revocations are kept. DIDs cost nothing, so a limit for each stands beside one for all. */
export interface RevocationQuota {
  /** Of one issuer. Default 1,000. */
  readonly perIssuer?: number;
  /** Of all issuers together. Default 1,000,000; in memory 100,000. */
  readonly inAll?: number;
}

export const REVOCATIONS_PER_ISSUER = 1000;
export const REVOCATIONS_IN_ALL = 1_000_000;
