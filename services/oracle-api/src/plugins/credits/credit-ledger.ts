import type { ForgottenRows, OwnRow } from '../api/account-data.js';

/** Usage of a turn, or a claim of 0 tokens that a user without credits is asked to settle first. */
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

/**
 * Ledger of the users' credits and usage.
 *
 * Idempotency: a claim or a top-up with an existing id changes nothing.
 * Atomicity: a claim is settled once, and its tokens leave the balance in the same step; a balance never falls below 0. Available
 * tokens are the balance minus debts and holds. Concurrent reservations see each other, and a claim replaces its hold in one step.
 * Errors: rejects if the ledger is unreachable; no partial changes.
 */
export interface CreditLedger {
  /** Opens a claim, and reduces a hold by the same amount. */
  open(claim: CreditClaim, hold?: ClaimedHold): Promise<void>;
  /**
   * Reserves tokens if any are available; false if none are. A reservation may exceed the available tokens, so that the last token
   * still pays for a turn. Expired holds of the owner are released before a refusal.
   */
  reserve(hold: CreditHold, at: Date): Promise<boolean>;
  /** Tokens still reserved for a run; undefined without a hold. */
  heldFor(runId: string): Promise<number | undefined>;
  /** Releases the remaining hold of a run. */
  release(runId: string): Promise<void>;
  /** Iterates over all rows of a user, in small pages. */
  rowsOf(ownerDid: string): AsyncIterable<OwnRow>;
  /**
   * Deletes the user's rows as far as accounting permits: unsettled usage and a nonzero balance stay. Of payments only the ids stay,
   * so that a repeated notification does not count twice.
   */
  forget(ownerDid: string): Promise<ForgottenRows>;
  accountOf(ownerDid: string): Promise<CreditAccount>;
  /** Returns the balance. */
  topUp(topUp: TopUp): Promise<number>;
  /** Totals of all users, without claims of 0 tokens. */
  outstanding(): Promise<OutstandingCredits>;
  /** Claims that the balances of their owners can pay, oldest first. */
  payableClaims(limit: number): Promise<CreditClaim[]>;
  /** Pays a claim from its owner's balance; false if the balance is too small or the claim is not open. */
  pay(claimId: string, at: Date): Promise<boolean>;
  /**
   * Takes open claims that are due for submission; each claim goes to one of several concurrent callers. A claim that is not closed
   * is due again after `retryMs`, twice as long each time, up to `longestRetryMs`.
   */
  takeDue(limit: number, at: Date): Promise<TakenClaim[]>;
  /** Makes all open claims due. */
  hurry(at: Date): Promise<void>;
  /** Stores the balance of an external account; false, without a change, if the local balance is no longer `seen`. */
  mirror(ownerDid: string, balance: number, seen: number): Promise<boolean>;
  /**
   * Closes claims that an external service has accepted, and deducts their tokens from the balance, at most to 0. Returns the number
   * of claims that were open.
   */
  close(claimIds: readonly string[], at: Date): Promise<number>;
}
