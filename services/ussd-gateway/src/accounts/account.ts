export interface Customer {
  /** `C` and 8 characters. */
  readonly id: string;
  readonly fullName: string;
  readonly email: string | undefined;
  /** The number that the account was created from, E.164. */
  readonly phone: string;
  readonly sealedPin: string;
}

export interface NewCustomer extends Customer {
  /** Identifies the hop that creates the account. */
  readonly creationKey: string;
}

export type Creation =
  /** The account exists; for a repeated key perhaps under another id. */
  | { readonly kind: 'created'; readonly customerId: string }
  /** The id belongs to another customer: nothing was changed. */
  | { readonly kind: 'taken' }
  /** The phone has reached its limit of accounts in 24 hours: nothing was changed. */
  | { readonly kind: 'limited' };

/** A one-time code in place of a PIN: valid or expired. */
export type OneTimeCodeState = 'live' | 'over';

/** One attempt at the PIN of a customer from a phone. The customer may not exist. */
export interface AttemptKey {
  /** The same for every retry of one hop. */
  readonly key: string;
  readonly customerId: string;
  readonly phone: string;
  /** The counter for unknown ids: one of a fixed number, so that invented ids leave no rows. */
  readonly decoy: string;
}

export interface AttemptLimits {
  /** Wrong attempts before a lock. */
  readonly attempts: number;
  /** Duration of the first lock; each following lock lasts twice as long, up to a day. */
  readonly lockMs: number;
}

export type Attempt =
  /** It was taken from both counters: the PIN may be compared now. */
  | ({ readonly kind: 'taken' } & TakenAttempt)
  /** This attempt was settled before. */
  | ({ readonly kind: 'settled'; readonly right: boolean } & TakenAttempt)
  | { readonly kind: 'locked'; readonly lockedMs: number };

interface TakenAttempt {
  /** Attempts that are left if this one is wrong. */
  readonly attemptsLeft: number;
  /** Lock time of account or phone if the attempt is wrong. */
  readonly lockedMs: number;
  /** Undefined for an unknown id. */
  readonly customer: Customer | undefined;
  /** Set while the customer has a one-time code in place of a PIN. */
  readonly code: OneTimeCodeState | undefined;
}

/** One attempt at all accounts of a phone at once. */
export type PhoneAttempt =
  | ({ readonly kind: 'taken' } & TakenPhoneAttempt)
  | ({ readonly kind: 'settled'; readonly right: boolean } & TakenPhoneAttempt)
  | { readonly kind: 'locked'; readonly lockedMs: number };

interface TakenPhoneAttempt extends Pick<TakenAttempt, 'attemptsLeft' | 'lockedMs'> {
  /** The newest accounts of the phone, at most five, without locked ones. */
  readonly accounts: readonly Pick<Customer, 'id' | 'sealedPin'>[];
}

/** The result of an attempt; `void`, if the PIN could not be compared, returns the attempt. */
export type AttemptVerdict = 'right' | 'wrong' | 'void';

/** Retention of attempts, in ms. */
export const attemptRetentionMs = 3 * 24 * 3_600_000;

/** Retention of counters after the last attempt, in ms. */
export const counterRetentionMs = 30 * 24 * 3_600_000;

/** Most accounts of a phone that are checked together. */
export const maxPhoneAccounts = 5;
