/** Usage of a turn, or a claim of 0 tokens that a user without credits must settle first. */
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

/** Tokens that are reserved for a run, until it ends or the hold expires. */
export interface CreditHold {
  readonly runId: string;
  readonly ownerDid: string;
  readonly tokens: number;
  readonly expiresAt: Date;
}

/** The hold that a claim is taken out of, and the expiry of its remainder. */
export interface ClaimedHold {
  readonly runId: string;
  readonly until?: Date | undefined;
}

/** Account of a user. All counts are tokens. */
export interface CreditAccount {
  readonly balance: number;
  /** Sum of the open claims, still to be deducted from the balance. */
  readonly owed: number;
  /** Reserved for turns that have not ended. */
  readonly held: number;
  /** Ids of open claims, oldest first, at most `listedClaims`. */
  readonly openClaims: readonly string[];
}

/** A claim that is due for submission, and the number of earlier attempts. */
export interface TakenClaim extends CreditClaim {
  readonly attempts: number;
}

/** Tokens of open claims and of holds, and the age of the oldest claim. */
export interface OutstandingCredits {
  readonly owed: number;
  readonly held: number;
  readonly oldestOpenedAt: Date | undefined;
}

export const listedClaims = 20;

/** Longer than any attempt takes. */
export const retryMs = 5_000;
export const longestRetryMs = 3_600_000;
