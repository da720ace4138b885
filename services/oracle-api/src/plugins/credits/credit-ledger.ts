/** What a turn took, or, of 0 tokens, what somebody without credits is asked to begin with. */
export interface CreditClaim {
  readonly claimId: string;
  readonly ownerDid: string;
  readonly tokens: number;
  readonly openedAt: Date;
}

export interface TopUp {
  readonly topUpId: string;
  readonly ownerDid: string;
  readonly tokens: number;
  readonly at: Date;
}

/** How a user stands. All counts are tokens. */
export interface CreditAccount {
  readonly balance: number;
  /** What open claims will take from the balance. */
  readonly owed: number;
  /** Ids of open claims, oldest first, at most `listedClaims`. */
  readonly openClaims: readonly string[];
}

export const listedClaims = 20;

/**
 * Who has which credits, and what was used of them.
 *
 * Idempotence: a claim or a top-up of an id that is there already changes nothing.
 * Atomicity: a claim is settled once, and its tokens leave the balance in the same step; a balance never goes below 0.
 * Failure: a ledger that cannot be reached rejects; nothing is half done.
 */
export interface CreditLedger {
  open(claim: CreditClaim): Promise<void>;
  accountOf(ownerDid: string): Promise<CreditAccount>;
  /** Gives the balance. */
  topUp(topUp: TopUp): Promise<number>;
  /** Claims that the balances of their owners can pay, oldest first. */
  payableClaims(limit: number): Promise<CreditClaim[]>;
  /** Pays a claim from its owner's balance; false when that is too small, or the claim is not open. */
  pay(claimId: string, at: Date): Promise<boolean>;
  /** Open claims after the one of that id, else from the oldest on. */
  openClaims(limit: number, afterClaimId?: string): Promise<CreditClaim[]>;
  /** Closes claims that were taken over elsewhere. Gives how many were open. */
  close(claimIds: readonly string[], at: Date): Promise<number>;
}
