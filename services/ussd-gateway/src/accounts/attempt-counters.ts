import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import {
  type Attempt,
  type AttemptKey,
  type AttemptLimits,
  type AttemptVerdict,
  attemptRetentionMs,
  counterRetentionMs,
  maxPhoneAccounts,
  type OneTimeCodeState,
  type PhoneAttempt,
} from './account.js';
import type * as schema from './schema.js';
import { customers, lockouts, pinAttempts } from './schema.js';

type Database = SqlDatabase<typeof schema>;

/** Counters of wrong PINs in Postgres or PGlite: a part of `AccountStore`. */
export class AttemptCounters {
  protected readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Finds the customer and counts one attempt in both counters, in one statement: `take_pin_attempt` of the migrations. */
  async takeAttempt(attempt: AttemptKey, limits: AttemptLimits): Promise<Attempt> {
    const { key, customerId, phone, decoy } = attempt;
    const [row] = await this.db
      .select(taken)
      .from(sql`take_pin_attempt(${key}, ${customerId}, ${phone}, ${decoy}, ${limits.attempts}, ${limits.lockMs})`);
    if (row === undefined) throw new Error('take_pin_attempt returned no row');
    const { kind, right, attemptsLeft, lockedMs, id, fullName, email, sealedPin } = row;
    const code = row.code ?? undefined;
    if (kind === 'locked') return { kind, lockedMs };
    const customer = id === null ? undefined : { id, fullName, email: email ?? undefined, phone: row.phone, sealedPin };
    if (kind === 'taken') return { kind, attemptsLeft, lockedMs, customer, code };
    return { kind, right, attemptsLeft, lockedMs, customer, code };
  }

  /**
   * Settles an attempt; the first result is final. A right PIN resets the counters of this customer; wrong attempts for other customers
   * stay counted for the phone until a day without another.
   */
  async settleAttempt({ key }: AttemptKey, verdict: AttemptVerdict, limits: AttemptLimits): Promise<void> {
    await this.db.select({ done: sql`true` }).from(sql`settle_pin_attempt(${key}, ${verdict}, ${limits.attempts})`);
  }

  /**
   * Counts one attempt of the phone, and in the owner counter of each of its accounts that is not locked. Otherwise the owner of one
   * account on a shared phone could guess the PINs of the others at no cost.
   */
  async takePhoneAttempt(
    { key, phone }: Pick<AttemptKey, 'key' | 'phone'>,
    limits: AttemptLimits,
  ): Promise<PhoneAttempt> {
    const [row] = await this.db
      .select(takenOfPhone)
      .from(sql`take_phone_attempt(${key}, ${phone}, ${limits.attempts}, ${limits.lockMs}, ${maxPhoneAccounts})`);
    if (row === undefined) throw new Error('take_phone_attempt returned no row');
    const { kind, right, attemptsLeft, lockedMs, ids, pins } = row;
    if (kind === 'locked') return { kind, lockedMs };
    const accounts = ids.map((id, index) => ({ id, sealedPin: pins[index] ?? '' }));
    return kind === 'taken'
      ? { kind, attemptsLeft, lockedMs, accounts }
      : { kind, right, attemptsLeft, lockedMs, accounts };
  }

  /**
   * Settles a phone attempt: resets the counters of the matching accounts, and returns the attempt of the phone if any matched. The first
   * result is final.
   */
  async settlePhoneAttempt(key: string, rightIds: readonly string[], limits: AttemptLimits): Promise<void> {
    // Ids have no commas.
    const ids = sql`array_remove(string_to_array(${rightIds.join()}, ','), '')`;
    await this.db.select({ done: sql`true` }).from(sql`settle_phone_attempt(${key}, ${ids}, ${limits.attempts})`);
  }

  /** Returns an open phone attempt to the phone and to the accounts that it was taken from. */
  voidPhoneAttempt(key: string, accountIds: readonly string[], limits: AttemptLimits): Promise<void> {
    const isOpen = and(eq(pinAttempts.key, key), eq(pinAttempts.outcome, 'open'));
    return this.db.transaction(async (tx) => {
      const [known] = await tx.select({ phone: pinAttempts.phone }).from(pinAttempts).where(isOpen);
      if (known === undefined) return;
      // Counters are locked in the order of every other attempt, to avoid deadlocks.
      const owners = accountIds.toSorted().map((id) => subjectsOf(id)[1]);
      const subjects = [...owners, phoneSubject(known.phone)];
      for (const subject of subjects) await tx.execute(sql`select lock_wrong_count(${subject})`);
      const voided = await tx.delete(pinAttempts).where(isOpen).returning({ key: pinAttempts.key });
      if (voided.length === 0) return;
      for (const subject of subjects) {
        await tx.execute(
          sql`select give_back_attempts(counted, 1, ${limits.attempts}) from lock_wrong_count(${subject}) counted`,
        );
      }
    });
  }

  /** Lifts the locks of a customer, and of the phones that were locked for it. False if the customer does not exist. */
  unlock(customerId: string): Promise<boolean> {
    return this.db.transaction((tx) => unlockCustomer(tx, customerId));
  }

  /**
   * Deletes attempts older than three days, and counters without a lock that are unchanged for thirty days. Waiting
   * for the deletion gives fewer attempts than waiting out each lock.
   *
   * @param limit most rows of each kind. @returns the larger number of deleted rows.
   */
  async purgeAttempts(limit: number): Promise<number> {
    const before = (ms: number) => sql`now() - ${`${ms} milliseconds`}::interval`;
    const old = this.db
      .select({ key: pinAttempts.key })
      .from(pinAttempts)
      .where(lt(pinAttempts.at, before(attemptRetentionMs)))
      .limit(limit)
      .for('update', { skipLocked: true });
    const attempts = await this.db
      .delete(pinAttempts)
      .where(inArray(pinAttempts.key, old))
      .returning({ key: pinAttempts.key });
    const isIdle = or(isNull(lockouts.lastWrongAt), lt(lockouts.lastWrongAt, before(counterRetentionMs)));
    const isOpen = or(isNull(lockouts.lockedUntil), lt(lockouts.lockedUntil, sql`now()`));
    const idle = this.db
      .select({ subject: lockouts.subject })
      .from(lockouts)
      .where(and(isIdle, isOpen))
      .limit(limit)
      .for('update', { skipLocked: true });
    const counts = await this.db
      .delete(lockouts)
      .where(inArray(lockouts.subject, idle))
      .returning({ subject: lockouts.subject });
    return Math.max(attempts.length, counts.length);
  }
}

/** @param tx a transaction. */
export async function unlockCustomer(tx: Database, customerId: string): Promise<boolean> {
  const found = await tx.select({ id: customers.id }).from(customers).where(eq(customers.id, customerId));
  if (found.length === 0) return false;
  const isCounted = and(eq(pinAttempts.customerId, customerId), eq(pinAttempts.counts, true));
  const counting = await tx.selectDistinct({ phone: pinAttempts.phone }).from(pinAttempts).where(isCounted);
  const subjects = [...subjectsOf(customerId), ...counting.map(({ phone }) => phoneSubject(phone))];
  await removeCounts(tx, subjects);
  await tx.update(pinAttempts).set({ counts: false }).where(isCounted);
  return true;
}

/**
 * @param tx a transaction. @returns the number of deleted counters.
 */
export async function removeCounts(tx: Database, subjects: readonly string[]): Promise<number> {
  // Locked in the order of attempts, to avoid deadlocks; counters that are added later are not deleted.
  const locked = await tx
    .select({ subject: lockouts.subject })
    .from(lockouts)
    .where(inArray(lockouts.subject, [...subjects]))
    .orderBy(sql`${lockouts.subject} collate "C"`)
    .for('update');
  const among = locked.map(({ subject }) => subject);
  await tx.delete(lockouts).where(inArray(lockouts.subject, among));
  return among.length;
}

const takenOfPhone = {
  kind: sql<'taken' | 'settled' | 'locked'>`kind`,
  right: sql<boolean>`was_right`,
  attemptsLeft: sql<number>`attempts_left`,
  lockedMs: sql<number>`locked_ms`,
  ids: sql<string>`array_to_string(ids, ',')`.mapWith(listOf),
  pins: sql<string>`array_to_string(pins, ',')`.mapWith(listOf),
};

/** Ids and sealed PINs have no commas; arrays differ by driver. */
function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

const taken = {
  kind: sql<'taken' | 'settled' | 'locked'>`kind`,
  right: sql<boolean>`was_right`,
  attemptsLeft: sql<number>`attempts_left`,
  lockedMs: sql<number>`locked_ms`,
  id: sql<string | null>`id`,
  fullName: sql<string>`full_name`,
  email: sql<string | null>`email`,
  phone: sql<string>`phone`,
  sealedPin: sql<string>`sealed_pin`,
  code: sql<OneTimeCodeState | null>`code`,
};

/** The names of the two counters of a customer: that of all other phones, and that of the owner. */
export function subjectsOf(customerId: string): readonly [others: string, owner: string] {
  return [`customer:${customerId}`, `owner:${customerId}`];
}

export function phoneSubject(number: string): string {
  return `phone:${number}`;
}
