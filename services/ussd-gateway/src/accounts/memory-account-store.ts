import type {
  AccountStore,
  Attempt,
  AttemptKey,
  AttemptLimits,
  ChoiceMark,
  Creation,
  Customer,
  LanguageChoice,
  NewCustomer,
} from './account-store.js';
import { countNow, customerSubject, giveBack, lockedFor, noneWrong, takeOne, type WrongCount } from './lockout.js';

interface KnownAttempt extends AttemptKey {
  outcome: 'open' | 'wrong' | 'right';
  counts: boolean;
  readonly attemptsLeft: number;
}

/** Accounts of one process, for tests: nothing is kept beyond it. */
export class MemoryAccountStore implements AccountStore {
  readonly #clock: () => number;
  readonly #customers = new Map<string, NewCustomer>();
  readonly #choices = new Map<string, LanguageChoice>();
  readonly #counts = new Map<string, WrongCount>();
  readonly #attempts = new Map<string, KnownAttempt>();

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  async createCustomer(customer: NewCustomer): Promise<Creation> {
    const earlier = [...this.#customers.values()].find(({ creationKey }) => creationKey === customer.creationKey);
    if (earlier !== undefined) return { kind: 'created', customerId: earlier.id };
    if (this.#customers.has(customer.id)) return { kind: 'taken' };
    this.#customers.set(customer.id, customer);
    return { kind: 'created', customerId: customer.id };
  }

  async findCustomer(id: string): Promise<Customer | undefined> {
    const customer = this.#customers.get(id);
    if (customer === undefined) return undefined;
    const { creationKey: _ofTheHop, ...rest } = customer;
    return rest;
  }

  async replacePin(customerId: string, from: string, to: string): Promise<boolean> {
    if (this.#customers.get(customerId)?.sealedPin !== from) return false;
    await this.setPin(customerId, to);
    return true;
  }

  async setPin(customerId: string, sealedPin: string): Promise<void> {
    const customer = this.#customers.get(customerId);
    if (customer !== undefined) this.#customers.set(customerId, { ...customer, sealedPin });
  }

  async listPins(afterId: string, limit: number) {
    return [...this.#customers.values()]
      .filter(({ id }) => id > afterId)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, sealedPin }) => ({ id, sealedPin }));
  }

  async takeAttempt(attempt: AttemptKey, limits: AttemptLimits): Promise<Attempt> {
    const nowMs = this.#clock();
    const { customer, phone } = this.#countsOf(attempt);
    const lockedMs = Math.max(lockedFor(customer, nowMs), lockedFor(phone, nowMs));
    const known = this.#attempts.get(attempt.key);
    if (known !== undefined) {
      const { attemptsLeft, outcome } = known;
      if (outcome === 'open') return { kind: 'taken', attemptsLeft, lockedMs };
      return { kind: 'settled', right: outcome === 'right', attemptsLeft, lockedMs };
    }
    if (lockedMs > 0) return { kind: 'locked', lockedMs };
    const before = { customer: countNow(customer, nowMs, 'customer'), phone: countNow(phone, nowMs, 'phone') };
    if (before.phone.wrong === 0) this.#forgive((other) => other.phone === attempt.phone);
    const after = { customer: takeOne(before.customer, nowMs, limits), phone: takeOne(before.phone, nowMs, limits) };
    this.#counts.set(customerSubject(attempt), after.customer);
    this.#counts.set(`phone:${attempt.phone}`, after.phone);
    const attemptsLeft = limits.attempts - Math.max(after.customer.wrong, after.phone.wrong);
    this.#attempts.set(attempt.key, { ...attempt, outcome: 'open', counts: true, attemptsLeft });
    const lockMs = Math.max(lockedFor(after.customer, nowMs), lockedFor(after.phone, nowMs));
    return { kind: 'taken', attemptsLeft, lockedMs: lockMs };
  }

  async settleAttempt({ key }: AttemptKey, right: boolean, limits: AttemptLimits): Promise<void> {
    const attempt = this.#attempts.get(key);
    if (attempt?.outcome !== 'open') return;
    attempt.outcome = right ? 'right' : 'wrong';
    if (!right) return;
    const { customerId, phone } = attempt;
    const forgiven = this.#forgive((other) => other.customerId === customerId && other.phone === phone);
    const counts = this.#countsOf(attempt);
    this.#counts.set(customerSubject(attempt), noneWrong);
    this.#counts.set(`phone:${phone}`, giveBack(counts.phone, forgiven.length, limits));
  }

  async unlock(customerId: string): Promise<boolean> {
    if (!this.#customers.has(customerId)) return false;
    for (const isOwner of [true, false]) this.#counts.delete(customerSubject({ customerId, isOwner }));
    const forgiven = this.#forgive((other) => other.customerId === customerId);
    for (const { phone } of forgiven) this.#counts.delete(`phone:${phone}`);
    return true;
  }

  async findLanguages(phones: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(
      phones.flatMap((phone) => {
        const choice = this.#choices.get(phone);
        return choice === undefined ? [] : [[phone, choice.language] as const];
      }),
    );
  }

  async setLanguage(phone: string, language: string): Promise<void> {
    this.#choices.set(phone, { phone, language, chosenAt: new Date(this.#clock()) });
  }

  async listChoices(after: ChoiceMark | undefined, limit: number): Promise<readonly LanguageChoice[]> {
    const inOrder = [...this.#choices.values()].toSorted(inOrderOfChoice);
    return inOrder.filter((choice) => after === undefined || inOrderOfChoice(choice, after) > 0).slice(0, limit);
  }

  #countsOf(of: AttemptKey) {
    return {
      customer: this.#counts.get(customerSubject(of)) ?? noneWrong,
      phone: this.#counts.get(`phone:${of.phone}`) ?? noneWrong,
    };
  }

  #forgive(whose: (attempt: AttemptKey) => boolean): readonly AttemptKey[] {
    const forgiven = [...this.#attempts.values()].filter((attempt) => attempt.counts && whose(attempt));
    for (const attempt of forgiven) attempt.counts = false;
    return forgiven;
  }
}

function inOrderOfChoice(a: ChoiceMark, b: ChoiceMark): number {
  const between = a.chosenAt.getTime() - b.chosenAt.getTime();
  return between === 0 ? Number(a.phone > b.phone) - Number(a.phone < b.phone) : between;
}
