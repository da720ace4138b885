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
  /** Names the hop that creates it. */
  readonly creationKey: string;
}

export type Creation =
  /** It is there now, or was already for this key, then perhaps under another id. */
  | { readonly kind: 'created'; readonly customerId: string }
  /** The id belongs to somebody else: nothing was changed. */
  | { readonly kind: 'taken' }
  /** Its phone has as many accounts of the last 24 hours as it may: nothing was changed. */
  | { readonly kind: 'limited' };

/** What stands in the place of a PIN: a code that opens, or one whose time is over. */
export type PinCodeState = 'live' | 'over';

/** One attempt at the PIN of a customer, who need not exist, from a phone. */
export interface AttemptKey {
  /** The same for every try of one hop. */
  readonly key: string;
  readonly customerId: string;
  readonly phone: string;
  /** Whose count it is taken from if nobody has the id: one of a fixed number, so that invented ids leave nothing behind. */
  readonly decoy: string;
}

export interface AttemptLimits {
  /** Attempts that may be wrong before a lock. */
  readonly attempts: number;
  /** How long the first lock lasts; each one after it in a row lasts twice as long. */
  readonly lockMs: number;
}

export type Attempt =
  /** It was taken from both: the PIN may be compared now. */
  | ({ readonly kind: 'taken' } & TakenAttempt)
  /** This very attempt was settled before. */
  | ({ readonly kind: 'settled'; readonly right: boolean } & TakenAttempt)
  | { readonly kind: 'locked'; readonly lockedMs: number };

interface TakenAttempt {
  /** Should it be wrong. */
  readonly attemptsLeft: number;
  /** How long account or phone are locked, should it be wrong. */
  readonly lockedMs: number;
  /** Undefined for an id that nobody has. */
  readonly customer: Customer | undefined;
  /** Set while the customer has a code of an operator in place of a PIN. */
  readonly code: PinCodeState | undefined;
}

/** One attempt at all accounts of a phone at once. */
export type PhoneAttempt =
  | ({ readonly kind: 'taken' } & TakenPhoneAttempt)
  | ({ readonly kind: 'settled'; readonly right: boolean } & TakenPhoneAttempt)
  | { readonly kind: 'locked'; readonly lockedMs: number };

interface TakenPhoneAttempt extends Pick<TakenAttempt, 'attemptsLeft' | 'lockedMs'> {
  /** The newest of the phone, five at most, without those that are locked. */
  readonly accounts: readonly Pick<Customer, 'id' | 'sealedPin'>[];
}

/** How an attempt went; `void` if nobody could judge it, which takes it back. */
export type AttemptVerdict = 'right' | 'wrong' | 'void';

/**
 * Customers, subscribers' languages, and the count of wrong PINs.
 *
 * Guarantees: every method is one atomic step, by the database's own clock, for all processes. `takeAttempt` takes an
 * attempt from customer and phone before anybody compares, so guesses in parallel spend no more than there are; the last
 * one locks at once, and `settleAttempt` undoes that if it was right. A customer has two counts, one for the phone that the account
 * is of and one for all others together: strangers lock out each other, and never the owner. A key that was seen costs nothing. A store that
 * cannot be reached rejects; the step was then done whole or not at all.
 *
 * An id that nobody has costs its caller's phone as any other, and counts at its decoy, so that whoever tries it from several
 * phones sees attempts run out and a lock as with an id that exists. A decoy is shared by many ids; which ones is not to be found
 * out without the keys. What remains of such an attempt names the decoy, never the id.
 */
export interface AccountStore {
  /** @param perDay accounts that one phone may have created within 24 hours, this one counted; those of parallel calls too. */
  createCustomer(customer: NewCustomer, perDay: number): Promise<Creation>;
  findCustomer(id: string): Promise<Customer | undefined>;

  /** Puts one sealed PIN in the place of another. False, and nothing was changed, if that is not the one there. */
  replacePin(customerId: string, from: string, to: string): Promise<boolean>;
  /** Sets a PIN once for a key: tried again, it does not undo what was chosen meanwhile. */
  setPin(customerId: string, sealedPin: string, key: string): Promise<void>;
  /**
   * Puts a sealed code in the place of the PIN, or of an earlier code, for so long, and lifts the locks of the customer. False if there
   * is no such customer.
   */
  issueCode(customerId: string, sealedCode: string, lifeMs: number): Promise<boolean>;
  /**
   * Puts a PIN in the place of a code that was right.
   *
   * @param grant the key of the attempt that was right by it, the last one of them.
   * @returns the customer; undefined, and nothing was changed, if there is another code or PIN since.
   */
  resetPin(customerId: string, grant: string, sealedPin: string): Promise<Customer | undefined>;
  /** Sealed PINs in the order of their customers, after one of them. */
  listPins(afterId: string, limit: number): Promise<readonly Pick<Customer, 'id' | 'sealedPin'>[]>;

  takeAttempt(attempt: AttemptKey, limits: AttemptLimits): Promise<Attempt>;
  /**
   * Says how an attempt went, the first time for good. A right one clears what was wrong for this customer, there and on the phone; wrong ones for
   * other customers stay counted for the phone, which forgets them after a day without another.
   */
  settleAttempt(attempt: AttemptKey, verdict: AttemptVerdict, limits: AttemptLimits): Promise<void>;
  /**
   * Takes an attempt from the phone, and from the owner's count of each of its accounts that is not locked: of an account whose PIN it is
   * not, one is spent whatever the others say. Else who has one account on somebody's phone could try PINs of the others for nothing.
   */
  takePhoneAttempt(attempt: Pick<AttemptKey, 'key' | 'phone'>, limits: AttemptLimits): Promise<PhoneAttempt>;
  /** Says whose PIN it was: clears their counts, and gives the phone its attempt back, if anybody's. The first time is for good. */
  settlePhoneAttempt(key: string, rightIds: readonly string[], limits: AttemptLimits): Promise<void>;
  /** Lifts the lock of a customer, and of the phones that were locked for it. False if there is no such customer. */
  unlock(customerId: string): Promise<boolean>;
  /**
   * Removes what no guarantee needs any more: attempts three days old, which is longer than two waits for the memory of a phone, and
   * counts whose lock is over and to which nothing was added for thirty days. Whoever waits those out gets fewer attempts than by
   * waiting for one lock after the other.
   *
   * @param limit most rows of each kind. @returns how many went of the kind of which most went.
   */
  purgeAttempts(limit: number): Promise<number>;

  /** The language that a subscriber chose: who dials is served in it (`sessions/who-dials`). */
  setLanguage(phone: string, language: string): Promise<void>;
}

/** Attempts are kept for so long, in ms. */
export const attemptsKeptMs = 3 * 24 * 3_600_000;

/** Counts are kept for so long after the last attempt, in ms. */
export const countsKeptMs = 30 * 24 * 3_600_000;

/** Most accounts of a phone that are looked at together. */
export const accountsTogether = 5;
