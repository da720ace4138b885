import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import { type Attempt, type AttemptKey, type AttemptLimits, phoneMemoryMs } from './account-store.js';
import { countNow, customerSubject, giveBack, lockedFor, noneWrong, takeOne, type WrongCount } from './lockout.js';
import type * as schema from './schema.js';
import { customers, lockouts, pinAttempts } from './schema.js';

/** A transaction: everything here reads and writes rows that it has locked. */
type Transaction = SqlDatabase<typeof schema>;

/** Takes an attempt from customer and phone, unless this one was taken before or one of them is locked. */
export async function takeAttempt(tx: Transaction, attempt: AttemptKey, limits: AttemptLimits): Promise<Attempt> {
  const { customer, phone, nowMs } = await lockCounts(tx, attempt);
  const lockedMs = Math.max(lockedFor(customer, nowMs), lockedFor(phone, nowMs));
  const [known] = await tx.select().from(pinAttempts).where(eq(pinAttempts.key, attempt.key));
  if (known !== undefined) {
    const { attemptsLeft, outcome } = known;
    if (outcome === 'open') return { kind: 'taken', attemptsLeft, lockedMs };
    return { kind: 'settled', right: outcome === 'right', attemptsLeft, lockedMs };
  }
  if (lockedMs > 0) return { kind: 'locked', lockedMs };
  const before = { customer: countNow(customer, nowMs, 'customer'), phone: countNow(phone, nowMs, 'phone') };
  await forgetAttempts(tx, attempt.phone, { all: before.phone.wrong === 0, nowMs });
  const after = { customer: takeOne(before.customer, nowMs, limits), phone: takeOne(before.phone, nowMs, limits) };
  await saveCount(tx, customerSubject(attempt), after.customer);
  await saveCount(tx, phoneSubject(attempt.phone), after.phone);
  const attemptsLeft = limits.attempts - Math.max(after.customer.wrong, after.phone.wrong);
  const at = new Date(nowMs);
  const { key, customerId } = attempt;
  await tx
    .insert(pinAttempts)
    .values({ key, customerId, phone: attempt.phone, outcome: 'open', attemptsLeft, counts: true, at });
  const lockMs = Math.max(lockedFor(after.customer, nowMs), lockedFor(after.phone, nowMs));
  return { kind: 'taken', attemptsLeft, lockedMs: lockMs };
}

export async function settleAttempt(
  tx: Transaction,
  { attempt, right }: { readonly attempt: AttemptKey; readonly right: boolean },
  limits: AttemptLimits,
): Promise<void> {
  const { key } = attempt;
  const { phone } = await lockCounts(tx, attempt);
  const settled = await tx
    .update(pinAttempts)
    .set({ outcome: right ? 'right' : 'wrong' })
    .where(and(eq(pinAttempts.key, key), eq(pinAttempts.outcome, 'open')))
    .returning({ key: pinAttempts.key });
  if (settled.length === 0 || !right) return;
  const forgiven = await tx
    .update(pinAttempts)
    .set({ counts: false })
    .where(
      and(
        eq(pinAttempts.phone, attempt.phone),
        eq(pinAttempts.customerId, attempt.customerId),
        eq(pinAttempts.counts, true),
      ),
    )
    .returning({ key: pinAttempts.key });
  await saveCount(tx, customerSubject(attempt), noneWrong);
  await saveCount(tx, phoneSubject(attempt.phone), giveBack(phone, forgiven.length, limits));
}

export async function unlockCustomer(tx: Transaction, customerId: string): Promise<boolean> {
  const found = await tx.select({ id: customers.id }).from(customers).where(eq(customers.id, customerId));
  if (found.length === 0) return false;
  const counting = await tx
    .selectDistinct({ phone: pinAttempts.phone })
    .from(pinAttempts)
    .where(and(eq(pinAttempts.customerId, customerId), eq(pinAttempts.counts, true)));
  const both = [true, false].map((isOwner) => customerSubject({ customerId, isOwner }));
  const subjects = [...both, ...counting.map(({ phone }) => phoneSubject(phone)).toSorted()];
  await lockRows(tx, subjects);
  for (const subject of subjects) await saveCount(tx, subject, noneWrong);
  const isCustomers = eq(pinAttempts.customerId, customerId);
  await tx.update(pinAttempts).set({ counts: false }).where(isCustomers);
  return true;
}

/** Attempts of a phone that no longer matter: those of long ago, and all that count if the phone begins anew. */
async function forgetAttempts(tx: Transaction, phone: string, from: { all: boolean; nowMs: number }): Promise<void> {
  const isOld = lt(pinAttempts.at, new Date(from.nowMs - phoneMemoryMs));
  await tx.delete(pinAttempts).where(and(eq(pinAttempts.phone, phone), isOld));
  if (!from.all) return;
  const doCount = and(eq(pinAttempts.phone, phone), eq(pinAttempts.counts, true));
  await tx.update(pinAttempts).set({ counts: false }).where(doCount);
}

async function lockCounts(tx: Transaction, of: AttemptKey) {
  const subjects = [customerSubject(of), phoneSubject(of.phone)] as const;
  const rows = await lockRows(tx, subjects);
  // Read once the rows are locked: who waited for them sees the time at which it went on.
  const nowMs = rows.at(-1)?.nowMs ?? 0;
  const find = (subject: string): WrongCount => {
    const row = rows.find((candidate) => candidate.subject === subject);
    if (row === undefined) throw new Error('a locked row is gone');
    return {
      wrong: row.wrong,
      locks: row.locks,
      lockedUntilMs: row.lockedUntil?.getTime(),
      lastWrongAtMs: row.lastWrongAt?.getTime(),
    };
  };
  return { customer: find(subjects[0]), phone: find(subjects[1]), nowMs };
}

/** Locks rows, which are made where they are missing; always in one order, so that no two wait for each other. */
async function lockRows(tx: Transaction, subjects: readonly string[]) {
  const inOrder = [...subjects].toSorted();
  await tx
    .insert(lockouts)
    .values(inOrder.map((subject) => ({ subject })))
    .onConflictDoNothing();
  await tx
    .select({ subject: lockouts.subject })
    .from(lockouts)
    .where(inArray(lockouts.subject, inOrder))
    .orderBy(asc(lockouts.subject))
    .for('update');
  const nowMs = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)`.mapWith(Number);
  return tx
    .select({
      subject: lockouts.subject,
      wrong: lockouts.wrong,
      locks: lockouts.locks,
      lockedUntil: lockouts.lockedUntil,
      lastWrongAt: lockouts.lastWrongAt,
      nowMs,
    })
    .from(lockouts)
    .where(inArray(lockouts.subject, inOrder));
}

async function saveCount(tx: Transaction, subject: string, count: WrongCount): Promise<void> {
  const moment = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
  await tx
    .update(lockouts)
    .set({
      wrong: count.wrong,
      locks: count.locks,
      lockedUntil: moment(count.lockedUntilMs),
      lastWrongAt: moment(count.lastWrongAtMs),
    })
    .where(eq(lockouts.subject, subject));
}

function phoneSubject(number: string): string {
  return `phone:${number}`;
}
