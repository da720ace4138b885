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
export type PinCodeState = 'live' | 'over';

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
  /** Duration of the first lock; each following lock lasts twice as long. */
  readonly lockMs: number;
}

export type Attempt =
  /** It was taken from both counters: the PIN may be compared now. */
  | ({ readonly kind: 'taken' } & TakenAttempt)
  /** This attempt was settled before. */
  | ({ readonly kind: 'settled'; readonly right: boolean } & TakenAttempt)
  | { readonly kind: 'locked'; readonly lockedMs: number };

interface TakenAttempt {
  /** If it is wrong. */
  readonly attemptsLeft: number;
  /** Lock time of account or phone if the attempt is wrong. */
  readonly lockedMs: number;
  /** Undefined for an unknown id. */
  readonly customer: Customer | undefined;
  /** Set while the customer has a one-time code in place of a PIN. */
  readonly code: PinCodeState | undefined;
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

/**
 * Customers, languages of subscribers, and counters of wrong PINs.
 *
 * Guarantees: every method is one atomic step, by the clock of the database, for all processes. `takeAttempt` takes an attempt from
 * customer and phone before the PIN is compared, so that parallel guesses have no more attempts; the last one locks at once, and
 * `settleAttempt` undoes that if it was right. A customer has two counters, one for the own phone and one for all other phones: strangers
 * lock out each other, never the owner. A repeated key costs nothing. An unavailable store rejects; the step was then done completely or
 * not at all.
 *
 * An unknown id costs an attempt of the phone and of its decoy counter, so that it shows attempts and locks as a known id does. A decoy
 * is shared by many ids, and cannot be computed without the keys. Stored attempts name the decoy, never the unknown id.
 */
export interface AccountStore {
  /** @param perDay accounts that one phone may create in 24 hours, including this one and those of parallel calls. */
  createCustomer(customer: NewCustomer, perDay: number): Promise<Creation>;
  findCustomer(id: string): Promise<Customer | undefined>;

  /** Replaces a sealed PIN by another. False, and nothing was changed, if the stored one differs. */
  replacePin(customerId: string, from: string, to: string): Promise<boolean>;
  /** Sets a PIN once for a key: a retry does not undo a later choice. */
  setPin(customerId: string, sealedPin: string, key: string): Promise<void>;
  /**
   * Replaces the PIN, or an earlier code, by a sealed one-time code, and lifts the locks of the customer. False if the customer does not
   * exist.
   */
  issueCode(customerId: string, sealedCode: string, lifeMs: number): Promise<boolean>;
  /**
   * Replaces a one-time code by a PIN.
   *
   * @param grant the key of the last attempt that was right by the code.
   * @returns the customer; undefined, and nothing was changed, if the code or the PIN has changed since.
   */
  resetPin(customerId: string, grant: string, sealedPin: string): Promise<Customer | undefined>;
  /** Sealed PINs in the order of customer ids, after an id. */
  listPins(afterId: string, limit: number): Promise<readonly Pick<Customer, 'id' | 'sealedPin'>[]>;

  takeAttempt(attempt: AttemptKey, limits: AttemptLimits): Promise<Attempt>;
  /**
   * Settles an attempt; the first result is final. A right PIN resets the counters of this customer; wrong attempts for other customers
   * stay counted for the phone until a day without another.
   */
  settleAttempt(attempt: AttemptKey, verdict: AttemptVerdict, limits: AttemptLimits): Promise<void>;
  /**
   * Takes an attempt from the phone, and from the owner counter of each of its accounts that is not locked. Otherwise the owner of one
   * account on a shared phone could guess the PINs of the others at no cost.
   */
  takePhoneAttempt(attempt: Pick<AttemptKey, 'key' | 'phone'>, limits: AttemptLimits): Promise<PhoneAttempt>;
  /**
   * Settles a phone attempt: resets the counters of the matching accounts, and returns the attempt of the phone if any matched. The first
   * result is final.
   */
  settlePhoneAttempt(key: string, rightIds: readonly string[], limits: AttemptLimits): Promise<void>;
  /** Lifts the locks of a customer, and of the phones that were locked for it. False if the customer does not exist. */
  unlock(customerId: string): Promise<boolean>;
  /**
   * Deletes attempts older than three days, and counters without a lock that are unchanged for thirty days. Waiting for the deletion
   * gives fewer attempts than waiting for the locks.
   *
   * @param limit most rows of each kind. @returns the larger number of deleted rows.
   */
  purgeAttempts(limit: number): Promise<number>;

  /** Stores the language chosen by a subscriber: dials use it (`sessions/find-caller`). */
  setLanguage(phone: string, language: string): Promise<void>;
}

/** Retention of attempts, in ms. */
export const attemptRetentionMs = 3 * 24 * 3_600_000;

/** Retention of counters after the last attempt, in ms. */
export const counterRetentionMs = 30 * 24 * 3_600_000;

/** Most accounts of a phone that are checked together. */
export const maxPhoneAccounts = 5;
