import type { ForgottenRows, OwnRow } from '../api/account-data.js';

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

/** Tokens that are set aside for a run, until it has ended or the time is over. */
export interface CreditHold {
  readonly runId: string;
  readonly ownerDid: string;
  readonly tokens: number;
  readonly expiresAt: Date;
}

/** The hold that a claim is taken out of, and until when the rest of it stays. */
export interface ClaimedHold {
  readonly runId: string;
  readonly until?: Date | undefined;
}

/** How a user stands. All counts are tokens. */
export interface CreditAccount {
  readonly balance: number;
  /** What open claims will take from the balance. */
  readonly owed: number;
  /** What is set aside for turns that have not ended. */
  readonly held: number;
  /** Ids of open claims, oldest first, at most `listedClaims`. */
  readonly openClaims: readonly string[];
}

/** A claim that is handed on, and how often it was before. */
export interface TakenClaim extends CreditClaim {
  readonly attempts: number;
}

/** Tokens that are neither left nor settled, and since when the oldest of them waits to be. */
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
 * Who has which credits, and what was used of them.
 *
 * Idempotence: a claim or a top-up of an id that is there already changes nothing.
 * Atomicity: a claim is settled once, and its tokens leave the balance in the same step; a balance never goes below 0. What is
 * available is the balance less what is owed and held: many that reserve at once see each other, and a claim takes the place of
 * its hold in one step.
 * Failure: a ledger that cannot be reached rejects; nothing is half done.
 */
export interface CreditLedger {
  /** Opens a claim, and has it take the place of as much of a hold. */
  open(claim: CreditClaim, hold?: ClaimedHold): Promise<void>;
  /**
   * Sets tokens aside where any are available; false where none are. It may set aside more than are, so that the last
   * token is worth a turn. Holds of the owner whose time is over are let go before somebody is refused.
   */
  reserve(hold: CreditHold, at: Date): Promise<boolean>;
  /** The tokens that are still set aside for a run; undefined where no hold is left. */
  heldFor(runId: string): Promise<number | undefined>;
  /** Lets go of what is still set aside for a run. */
  release(runId: string): Promise<void>;
  /** All that is kept of a user, a few rows at a time. */
  rowsOf(ownerDid: string): AsyncIterable<OwnRow>;
  /**
   * Deletes it as far as the books allow: what was used and is not settled yet stays, and a balance that is not 0. Of payments only
   * their ids stay, so that one that is told again does not count twice.
   */
  forget(ownerDid: string): Promise<ForgottenRows>;
  accountOf(ownerDid: string): Promise<CreditAccount>;
  /** Gives the balance. */
  topUp(topUp: TopUp): Promise<number>;
  /** Of all users together. What was asked of somebody to begin with is not among it. */
  outstanding(): Promise<OutstandingCredits>;
  /** Claims that the balances of their owners can pay, oldest first. */
  payableClaims(limit: number): Promise<CreditClaim[]>;
  /** Pays a claim from its owner's balance; false when that is too small, or the claim is not open. */
  pay(claimId: string, at: Date): Promise<boolean>;
  /**
   * Takes open claims that are due to be handed on, each for one of many who take at once. One that is not closed is due again after
   * `retryMs`, twice as long each time, up to `longestRetryMs`.
   */
  takeDue(limit: number, at: Date): Promise<TakenClaim[]>;
  /** Makes all open claims due. */
  hurry(at: Date): Promise<void>;
  /** Takes over a balance that is kept elsewhere; false, and nothing is changed, where it is no longer what was `seen` of it here. */
  mirror(ownerDid: string, balance: number, seen: number): Promise<boolean>;
  /** Closes claims that were taken over elsewhere, and takes their tokens out of the balance as far as they go. Gives how many were open. */
  close(claimIds: readonly string[], at: Date): Promise<number>;
}
