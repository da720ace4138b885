import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, inArray, isNotNull, notInArray, or, sql } from 'drizzle-orm';
import { phoneSubject, removeCounts, subjectsOf } from '../accounts/attempt-counters.js';
import type * as schema from '../accounts/schema.js';
import { customers, lockouts, phones, pinAttempts } from '../accounts/schema.js';
import { effectIntents } from '../effects/schema.js';
import { isOfNumber, linkCodes, phoneDelegations, phoneIdentities } from '../phone-identity/schema.js';
import { tenantOf } from '../session-scope.js';

type Database = SqlDatabase<typeof schema>;

/** Exports and deletes the data of a subscriber in Postgres or PGlite. */
export function sqlSubscriberRecords(db: Database) {
  return {
    read: (customerId: string) => readSubscriber(db, customerId),
    readPhone: (number: string) => readPhone(db, number),
    remove: (customerId: string) => removeSubscriber(db, customerId),
    accountsOf: (number: string) => accountsOf(db, number),
    removePhone: (number: string) => removePhoneWithoutAccounts(db, number),
    phoneOfLastAccount: (customerId: string) => phoneOfLastAccount(db, customerId),
  };
}

/**
 * All data of an account and its phone: attempts at its PIN from any phone, counters of both, and effects of the phone. Undefined if the
 * customer does not exist.
 */
async function readSubscriber(db: Database, id: string) {
  const [customer] = await db.select(customerColumns).from(customers).where(eq(customers.id, id));
  if (customer === undefined) return undefined;
  const attempts = await db.select(attemptColumns).from(pinAttempts).where(eq(pinAttempts.customerId, id));
  const phone = await readPhone(db, customer.phone);
  const counts = await countsOf(db, subjectsOf(id));
  return { customer, ...phone, attempts, counts: [...counts, ...phone.counts] };
}

/** All data of a phone without its accounts. */
async function readPhone(db: Database, number: string) {
  const [phone] = await db.select(phoneColumns).from(phones).where(eq(phones.number, number));
  const attempts = await db.select(attemptColumns).from(pinAttempts).where(eq(pinAttempts.phone, number));
  const counts = await countsOf(db, [phoneSubject(number)]);
  const effects = await db.select(effectColumns).from(effectIntents).where(eq(effectIntents.phone, number));
  const identities = await db
    .select(identityColumns)
    .from(phoneIdentities)
    .where(isOfNumber(phoneIdentities.phone, number))
    .orderBy(phoneIdentities.phone);
  const ofServices = identities.map(({ phone: line, ...identity }) => ({ service: tenantOf(line), ...identity }));
  const { kind, expiresAt } = phoneDelegations;
  const delegations = await db
    .select({ kind, expiresAt })
    .from(phoneDelegations)
    .where(isOfNumber(phoneDelegations.phone, number));
  return { phone: phone ?? null, attempts, effects, counts, identities: ofServices, delegations };
}

const countsOf = (db: Database, subjects: readonly string[]) =>
  db.select().from(lockouts).where(inArray(lockouts.subject, subjects));

/** The phone of an account, if it is the last account of the phone. */
async function phoneOfLastAccount(db: Database, id: string): Promise<string | undefined> {
  const [customer] = await db.select({ phone: customers.phone }).from(customers).where(eq(customers.id, id));
  if (customer === undefined) return undefined;
  return (await accountsOf(db, customer.phone)).length === 1 ? customer.phone : undefined;
}

async function accountsOf(db: Database, number: string): Promise<string[]> {
  return (await db.select({ id: customers.id }).from(customers).where(eq(customers.phone, number))).map(({ id }) => id);
}

/**
 * Deletes an account with its counters and the ended effects of its phone; with the last account of a phone also the data of that phone.
 * An outcome that another account has not seen yet stays: without it the same payment could be made again. One atomic step, idempotent.
 * Resolves with the deleted rows of each kind.
 */
function removeSubscriber(db: Database, id: string) {
  return db.transaction(async (tx) => {
    const [removed] = await tx.delete(customers).where(eq(customers.id, id)).returning({ phone: customers.phone });
    const others = removed === undefined ? [] : await lockAccounts(tx, removed.phone);
    const left = others.length === 0 ? removed?.phone : undefined;
    // In one call, which locks them in order.
    const counts = await removeCounts(tx, [...subjectsOf(id), ...(left === undefined ? [] : [phoneSubject(left)])]);
    const attempts = await removeAttempts(tx, eq(pinAttempts.customerId, id));
    const effects = removed === undefined ? 0 : await removeEffects(tx, removed.phone, others);
    const rest = left === undefined ? { attempts: 0, phones: 0 } : await removePhone(tx, left);
    return {
      accounts: removed === undefined ? 0 : 1,
      counts,
      effects,
      attempts: attempts + rest.attempts,
      phones: rest.phones,
    };
  });
}

/** Deletes the data of a phone without accounts. Resolves with the deleted rows of each kind; undefined if the phone has an account. */
function removePhoneWithoutAccounts(db: Database, number: string) {
  return db.transaction(async (tx) => {
    if ((await lockAccounts(tx, number)).length > 0) return undefined;
    const counts = await removeCounts(tx, [phoneSubject(number)]);
    const effects = await removeEffects(tx, number);
    return { counts, effects, ...(await removePhone(tx, number)) };
  });
}

/** The accounts of a phone. Creating one blocks until this transaction ends. */
async function lockAccounts(tx: Database, number: string): Promise<string[]> {
  await tx.select({ number: phones.number }).from(phones).where(eq(phones.number, number)).for('update');
  return accountsOf(tx, number);
}

/** Deletes its language, its attempts, its identity at the oracle, and link codes. */
async function removePhone(tx: Database, number: string) {
  const attempts = await removeAttempts(tx, eq(pinAttempts.phone, number));
  await tx.delete(linkCodes).where(isOfNumber(linkCodes.phone, number));
  await tx.delete(phoneDelegations).where(isOfNumber(phoneDelegations.phone, number));
  await tx.delete(phoneIdentities).where(isOfNumber(phoneIdentities.phone, number));
  const removed = await tx.delete(phones).where(eq(phones.number, number)).returning(phoneColumns);
  return { attempts, phones: removed.length };
}

/** Deletes the ended effects of a phone, except outcomes that one of the `others`, its other accounts, has not seen yet. */
async function removeEffects(tx: Database, number: string, others: readonly string[] = []): Promise<number> {
  const ended = and(eq(effectIntents.phone, number), isNotNull(effectIntents.endedAt));
  const account = sql`coalesce(${effectIntents.place} #>> '{position,account}', '')`;
  const isOfNoOther =
    others.length === 0 ? undefined : or(isNotNull(effectIntents.shownAt), notInArray(account, [...others]));
  return (await tx.delete(effectIntents).where(and(ended, isOfNoOther)).returning({ key: effectIntents.key })).length;
}

async function removeAttempts(tx: Database, which: ReturnType<typeof eq>): Promise<number> {
  return (await tx.delete(pinAttempts).where(which).returning({ key: pinAttempts.key })).length;
}

/** Without the sealed PIN and the keys of hops. */
const customerColumns = {
  id: customers.id,
  fullName: customers.fullName,
  email: customers.email,
  phone: customers.phone,
  createdAt: customers.createdAt,
  codeUntil: customers.codeUntil,
};

/** Without sealed values. */
const identityColumns = {
  phone: phoneIdentities.phone,
  did: phoneIdentities.did,
  sessionId: phoneIdentities.sessionId,
  linkedDid: phoneIdentities.linkedDid,
  askedOn: phoneIdentities.questionDay,
  asked: phoneIdentities.questionCount,
  createdAt: phoneIdentities.createdAt,
};

const phoneColumns = { language: phones.language, createdAt: phones.createdAt };

const effectColumns = {
  effect: effectIntents.effect,
  startedAt: effectIntents.startedAt,
  endedAt: effectIntents.endedAt,
};

const attemptColumns = { phone: pinAttempts.phone, outcome: pinAttempts.outcome, at: pinAttempts.at };
