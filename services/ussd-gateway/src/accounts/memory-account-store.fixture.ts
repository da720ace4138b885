import {
  type AccountStore,
  type Attempt,
  type AttemptKey,
  type AttemptLimits,
  type AttemptVerdict,
  attemptRetentionMs,
  type Creation,
  type Customer,
  counterRetentionMs,
  maxPhoneAccounts,
  type NewCustomer,
  type PhoneAttempt,
  type PinCodeState,
} from './account-store.js';
import { phoneSubject, subjectsOf } from './sql-lockouts.js';
import { countNow, giveBack, lockedFor, noneWrong, takeOne, type WrongCount } from './wrong-count.fixture.js';

interface KnownAttempt {
  /** Owner of the counter at the account, and at the phone. */
  readonly subject: string;
  readonly customerId: string;
  readonly phone: string;
  outcome: 'open' | 'wrong' | 'right';
  counts: boolean;
  readonly attemptsLeft: number;
  readonly atMs: number;
}

interface KnownCustomer extends NewCustomer {
  readonly atMs: number;
  readonly codeUntilMs?: number | undefined;
  readonly codeGrant?: string | undefined;
}

const dayMs = 24 * 3_600_000;

/** Accounts of one process, for tests. */
export class MemoryAccountStore implements AccountStore {
  readonly #clock: () => number;
  readonly #customers = new Map<string, KnownCustomer>();
  readonly #pinsSet = new Set<string>();
  readonly #languages = new Map<string, string>();
  readonly #counts = new Map<string, WrongCount>();
  readonly #attempts = new Map<string, KnownAttempt>();

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  async createCustomer(customer: NewCustomer, perDay: number): Promise<Creation> {
    const nowMs = this.#clock();
    const earlier = [...this.#customers.values()];
    const same = earlier.find(({ creationKey }) => creationKey === customer.creationKey);
    if (same !== undefined) return { kind: 'created', customerId: same.id };
    const recent = earlier.filter(({ phone, atMs }) => phone === customer.phone && atMs > nowMs - dayMs);
    if (recent.length >= perDay) return { kind: 'limited' };
    if (this.#customers.has(customer.id)) return { kind: 'taken' };
    this.#customers.set(customer.id, { ...customer, atMs: nowMs });
    return { kind: 'created', customerId: customer.id };
  }

  async findCustomer(id: string): Promise<Customer | undefined> {
    const customer = this.#customers.get(id);
    if (customer === undefined) return undefined;
    const { fullName, email, phone, sealedPin } = customer;
    return { id, fullName, email, phone, sealedPin };
  }

  async replacePin(customerId: string, from: string, to: string): Promise<boolean> {
    const customer = this.#customers.get(customerId);
    if (customer?.sealedPin !== from) return false;
    this.#customers.set(customerId, { ...customer, sealedPin: to });
    return true;
  }

  async setPin(customerId: string, sealedPin: string, key: string): Promise<void> {
    if (this.#pinsSet.has(key)) return;
    this.#pinsSet.add(key);
    const customer = this.#customers.get(customerId);
    const chosen = { sealedPin, codeUntilMs: undefined, codeGrant: undefined };
    if (customer !== undefined) this.#customers.set(customerId, { ...customer, ...chosen });
  }

  async issueCode(customerId: string, sealedCode: string, lifeMs: number): Promise<boolean> {
    const customer = this.#customers.get(customerId);
    if (customer === undefined) return false;
    const issued = { sealedPin: sealedCode, codeUntilMs: this.#clock() + lifeMs, codeGrant: undefined };
    this.#customers.set(customerId, { ...customer, ...issued });
    return this.unlock(customerId);
  }

  async resetPin(customerId: string, grant: string, sealedPin: string): Promise<Customer | undefined> {
    const customer = this.#customers.get(customerId);
    if (customer?.codeGrant !== grant) return undefined;
    this.#customers.set(customerId, { ...customer, sealedPin, codeUntilMs: undefined });
    return this.findCustomer(customerId);
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
    const customer = await this.findCustomer(attempt.customerId);
    const code = this.#codeOf(attempt.customerId, nowMs);
    const [strangers, owner] = subjectsOf(attempt.customerId);
    const subject = customer === undefined ? attempt.decoy : customer.phone === attempt.phone ? owner : strangers;
    const caller = phoneSubject(attempt.phone);
    const [account, phone] = [this.#countOf(subject), this.#countOf(caller)];
    const lockedMs = Math.max(lockedFor(account, nowMs), lockedFor(phone, nowMs));
    const known = this.#attempts.get(attempt.key);
    if (known !== undefined) {
      const { attemptsLeft, outcome } = known;
      if (outcome === 'open') return { kind: 'taken', attemptsLeft, lockedMs, customer, code };
      return { kind: 'settled', right: outcome === 'right', attemptsLeft, lockedMs, customer, code };
    }
    if (lockedMs > 0) return { kind: 'locked', lockedMs };
    const before = { account: countNow(account, nowMs, 'customer'), phone: countNow(phone, nowMs, 'phone') };
    if (before.phone.wrong === 0) this.#forgive((other) => other.phone === attempt.phone);
    const after = { account: takeOne(before.account, nowMs, limits), phone: takeOne(before.phone, nowMs, limits) };
    this.#counts.set(subject, after.account);
    this.#counts.set(caller, after.phone);
    const attemptsLeft = limits.attempts - Math.max(after.account.wrong, after.phone.wrong);
    const customerId = customer?.id ?? attempt.decoy;
    const { phone: number } = attempt;
    this.#attempts.set(attempt.key, {
      subject,
      customerId,
      phone: number,
      outcome: 'open',
      counts: true,
      atMs: nowMs,
      attemptsLeft,
    });
    const lockMs = Math.max(lockedFor(after.account, nowMs), lockedFor(after.phone, nowMs));
    return { kind: 'taken', attemptsLeft, lockedMs: lockMs, customer, code };
  }

  async settleAttempt({ key }: AttemptKey, verdict: AttemptVerdict, limits: AttemptLimits): Promise<void> {
    const attempt = this.#attempts.get(key);
    if (attempt?.outcome !== 'open') return;
    const { subject, customerId, phone } = attempt;
    const caller = phoneSubject(phone);
    if (verdict === 'void') {
      this.#attempts.delete(key);
      for (const each of [subject, caller]) this.#counts.set(each, giveBack(this.#countOf(each), 1, limits));
      return;
    }
    attempt.outcome = verdict;
    if (verdict === 'wrong') return;
    const customer = this.#customers.get(customerId);
    if (customer?.codeUntilMs !== undefined) this.#customers.set(customerId, { ...customer, codeGrant: key });
    const forgiven = this.#forgive((other) => other.customerId === customerId && other.phone === phone);
    this.#counts.delete(subject);
    this.#counts.set(caller, giveBack(this.#countOf(caller), forgiven.length, limits));
  }

  async takePhoneAttempt(
    { key, phone }: Pick<AttemptKey, 'key' | 'phone'>,
    limits: AttemptLimits,
  ): Promise<PhoneAttempt> {
    const nowMs = this.#clock();
    const known = this.#attempts.get(key);
    const caller = phoneSubject(phone);
    const waitOf = (id: string) => lockedFor(this.#countOf(subjectsOf(id)[1]), nowMs);
    const all = [...this.#customers.values()].filter((each) => each.phone === phone && each.codeUntilMs === undefined);
    const newest = all.toReversed().slice(0, maxPhoneAccounts);
    const open = newest.filter(({ id }) => known !== undefined || waitOf(id) === 0);
    const accounts = open.map(({ id, sealedPin }) => ({ id, sealedPin }));
    const allLockedMs =
      newest.length > open.length && open.length === 0 ? Math.min(...newest.map(({ id }) => waitOf(id))) : 0;
    const lockedMs = Math.max(lockedFor(this.#countOf(caller), nowMs), allLockedMs);
    if (known !== undefined) {
      const { attemptsLeft, outcome } = known;
      if (outcome === 'open') return { kind: 'taken', attemptsLeft, lockedMs, accounts };
      return { kind: 'settled', right: outcome === 'right', attemptsLeft, lockedMs, accounts };
    }
    if (lockedMs > 0) return { kind: 'locked', lockedMs };
    const before = countNow(this.#countOf(caller), nowMs, 'phone');
    if (before.wrong === 0) this.#forgive((other) => other.phone === phone);
    const after = takeOne(before, nowMs, limits);
    this.#counts.set(caller, after);
    for (const { id } of accounts) {
      const [, owner] = subjectsOf(id);
      this.#counts.set(owner, takeOne(countNow(this.#countOf(owner), nowMs, 'customer'), nowMs, limits));
    }
    const attemptsLeft = limits.attempts - after.wrong;
    const taken = { subject: caller, customerId: 'phone', phone, attemptsLeft };
    this.#attempts.set(key, { ...taken, outcome: 'open', counts: true, atMs: nowMs });
    return { kind: 'taken', attemptsLeft, lockedMs: lockedFor(after, nowMs), accounts };
  }

  async settlePhoneAttempt(key: string, rightIds: readonly string[], limits: AttemptLimits): Promise<void> {
    const attempt = this.#attempts.get(key);
    if (attempt?.outcome !== 'open') return;
    attempt.outcome = rightIds.length === 0 ? 'wrong' : 'right';
    if (rightIds.length === 0) return;
    attempt.counts = false;
    for (const id of rightIds) this.#counts.delete(subjectsOf(id)[1]);
    this.#counts.set(attempt.subject, giveBack(this.#countOf(attempt.subject), 1, limits));
  }

  async unlock(customerId: string): Promise<boolean> {
    if (!this.#customers.has(customerId)) return false;
    for (const subject of subjectsOf(customerId)) this.#counts.delete(subject);
    const forgiven = this.#forgive((other) => other.customerId === customerId);
    for (const { phone } of forgiven) this.#counts.delete(phoneSubject(phone));
    return true;
  }

  async purgeAttempts(): Promise<number> {
    const nowMs = this.#clock();
    const old = [...this.#attempts].filter(([, { atMs }]) => atMs < nowMs - attemptRetentionMs);
    const idle = [...this.#counts].filter(
      ([, count]) => (count.lastWrongAtMs ?? 0) < nowMs - counterRetentionMs && lockedFor(count, nowMs) === 0,
    );
    for (const [key] of old) this.#attempts.delete(key);
    for (const [subject] of idle) this.#counts.delete(subject);
    return Math.max(old.length, idle.length);
  }

  /** For `memoryDiallers`. */
  async findLanguage(phone: string): Promise<string | undefined> {
    return this.#languages.get(phone);
  }

  async setLanguage(phone: string, language: string): Promise<void> {
    this.#languages.set(phone, language);
  }

  #codeOf(customerId: string, nowMs: number): PinCodeState | undefined {
    const untilMs = this.#customers.get(customerId)?.codeUntilMs;
    if (untilMs === undefined) return undefined;
    return untilMs > nowMs ? 'live' : 'over';
  }

  #countOf(subject: string): WrongCount {
    return this.#counts.get(subject) ?? noneWrong;
  }

  #forgive(whose: (attempt: KnownAttempt) => boolean): readonly KnownAttempt[] {
    const forgiven = [...this.#attempts.values()].filter((attempt) => attempt.counts && whose(attempt));
    for (const attempt of forgiven) attempt.counts = false;
    return forgiven;
  }
}
