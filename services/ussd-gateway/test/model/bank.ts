/** An account as its owner knows it. The gateway shows the id once it is created. */
export interface Account {
  id: string | undefined;
  readonly name: string;
  readonly email: string;
  /** Number that created the account. */
  readonly phone: string;
  pin: string;
  readonly openedAtMs: number;
}

export type Guess = 'right' | { readonly attemptsLeft: number } | { readonly lockedMinutes: number };

interface Count {
  /** Customer IDs of the wrong guesses that count, oldest first. */
  wrong: string[];
  locks: number;
  lockedUntilMs: number;
}

const guesses = 3;
const accountsPerDay = 3;
const dayMs = 24 * 3_600_000;

/** State of accounts: PINs in the clear, and the wrong guesses of each phone. */
export class Bank {
  readonly accounts: Account[] = [];
  readonly #counts = new Map<string, Count>();
  /** A Customer ID that does not exist. Wrong guesses at it count too, so concurrent banks need one each. */
  readonly unknownId: string;
  readonly #lockMs: number;

  constructor(lockMs: number, unknownId = 'C00000000') {
    this.#lockMs = lockMs;
    this.unknownId = unknownId;
  }

  /** Undefined, and no account is opened, if the phone has reached its daily limit. */
  open(owner: Omit<Account, 'id'>): Account | undefined {
    const isRecent = ({ phone, openedAtMs }: Account) => phone === owner.phone && openedAtMs > owner.openedAtMs - dayMs;
    if (this.accounts.filter(isRecent).length >= accountsPerDay) return undefined;
    const account = { ...owner, id: undefined };
    this.accounts.push(account);
    return account;
  }

  find(id: string): Account | undefined {
    return this.accounts.find((account) => account.id === id);
  }

  /**
   * Three wrong guesses lock the customer and the phone, each separately; every consecutive lock is twice as long. A
   * customer has one count for the phone of the account, and one for all others.
   */
  guess(id: string, phone: string, pin: string, nowMs: number): Guess {
    const relation = this.find(id)?.phone === phone ? 'owner' : 'customer';
    const counts = [this.#countOf(`${relation} ${id}`, nowMs), this.#countOf(`phone ${phone}`, nowMs)] as const;
    const [customer, caller] = counts;
    if (counts.some((count) => count.lockedUntilMs > nowMs)) return this.#locked(counts, nowMs);
    if (this.find(id)?.pin === pin) {
      Object.assign(customer, { wrong: [], locks: 0 });
      caller.wrong = caller.wrong.filter((other) => other !== id);
      return 'right';
    }
    for (const count of counts) this.#spend(count, id, nowMs);
    if (counts.some((count) => count.lockedUntilMs > nowMs)) return this.#locked(counts, nowMs);
    return { attemptsLeft: guesses - Math.max(customer.wrong.length, caller.wrong.length) };
  }

  /** Accounts of a phone that have a PIN, newest first. An account with another PIN loses one guess. */
  lookUp(phone: string, pin: string, nowMs: number): Account[] | Exclude<Guess, 'right'> {
    const caller = this.#countOf(`phone ${phone}`, nowMs);
    const all = this.accounts
      .filter((account) => account.phone === phone)
      .toReversed()
      .slice(0, 5);
    const counted = all.map((account) => ({ account, count: this.#countOf(`owner ${account.id}`, nowMs) }));
    const open = counted.filter(({ count }) => count.lockedUntilMs <= nowMs);
    if (caller.lockedUntilMs > nowMs || (all.length > 0 && open.length === 0)) {
      const ownMs =
        open.length === 0 && all.length > 0 ? Math.min(...counted.map(({ count }) => count.lockedUntilMs)) : 0;
      return this.#locked([{ ...caller, lockedUntilMs: Math.max(ownMs, caller.lockedUntilMs) }], nowMs);
    }
    for (const { account, count } of open) {
      if (account.pin === pin) Object.assign(count, { wrong: [], locks: 0 });
      else this.#spend(count, account.id ?? '', nowMs);
    }
    const found = open.filter(({ account }) => account.pin === pin).map(({ account }) => account);
    if (found.length > 0) return found;
    this.#spend(caller, 'at once', nowMs);
    return caller.lockedUntilMs > nowMs
      ? this.#locked([caller], nowMs)
      : { attemptsLeft: guesses - caller.wrong.length };
  }

  #spend(count: Count, id: string, nowMs: number): void {
    count.wrong.push(id);
    if (count.wrong.length < guesses) return;
    count.lockedUntilMs = nowMs + this.#lockMs * 2 ** count.locks;
    count.locks += 1;
  }

  #locked(counts: readonly Count[], nowMs: number): Exclude<Guess, 'right'> {
    const longestMs = Math.max(...counts.map((count) => count.lockedUntilMs - nowMs));
    return { lockedMinutes: Math.ceil(longestMs / 60_000) };
  }

  /** After a lock, guesses are free again. */
  #countOf(subject: string, nowMs: number): Count {
    const count = this.#counts.get(subject) ?? { wrong: [], locks: 0, lockedUntilMs: 0 };
    this.#counts.set(subject, count);
    if (count.lockedUntilMs > 0 && count.lockedUntilMs <= nowMs) Object.assign(count, { wrong: [], lockedUntilMs: 0 });
    return count;
  }
}
