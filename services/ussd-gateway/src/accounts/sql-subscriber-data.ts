import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, inArray, isNotNull, ne } from 'drizzle-orm';
import { effectIntents } from '../effects/schema.js';
import { linkCodes, phoneIdentities } from '../identities/schema.js';
import { phoneSubject, subjectsOf } from './lockout-subjects.js';
import type * as schema from './schema.js';
import { customers, lockouts, phones, pinAttempts } from './schema.js';
import { removeCounts } from './sql-lockouts.js';

type Database = SqlDatabase<typeof schema>;

/** What is kept of a subscriber in Postgres or PGlite, for whoever asks for it or wants it gone. */
export function sqlSubscriberRecords(db: Database) {
  return {
    read: (customerId: string) => readSubscriber(db, customerId),
    remove: (customerId: string) => removeSubscriber(db, customerId),
    phoneLeftBy: (customerId: string) => phoneLeftBy(db, customerId),
  };
}

/**
 * All that is kept of an account and its phone, as long as it is kept: attempts at its PIN from any phone, the wrong ones that are counted for
 * both, and what was done from that phone. Undefined if there is no customer of that id.
 */
async function readSubscriber(db: Database, id: string) {
  const [customer] = await db.select(customerColumns).from(customers).where(eq(customers.id, id));
  if (customer === undefined) return undefined;
  const [phone] = await db.select(phoneColumns).from(phones).where(eq(phones.number, customer.phone));
  if (phone === undefined) throw new Error('a customer without a phone');
  const attempts = await db.select(attemptColumns).from(pinAttempts).where(eq(pinAttempts.customerId, id));
  const subjects = [...subjectsOf(id), phoneSubject(customer.phone)];
  const counts = await db.select().from(lockouts).where(inArray(lockouts.subject, subjects));
  const effects = await db.select(effectColumns).from(effectIntents).where(eq(effectIntents.phone, customer.phone));
  const [identity] = await db
    .select(identityColumns)
    .from(phoneIdentities)
    .where(eq(phoneIdentities.phone, customer.phone));
  return { customer, phone, attempts, effects, counts, identity: identity ?? null };
}

/** The phone of an account, where it is the last one of it. */
async function phoneLeftBy(db: Database, id: string): Promise<string | undefined> {
  const [customer] = await db.select({ phone: customers.phone }).from(customers).where(eq(customers.id, id));
  if (customer === undefined) return undefined;
  const isOther = and(eq(customers.phone, customer.phone), ne(customers.id, id));
  const [other] = await db.select({ id: customers.id }).from(customers).where(isOther).limit(1);
  return other === undefined ? customer.phone : undefined;
}

/**
 * Removes an account with all that is counted for it, and what is known of effects of its phone; with the last account of a phone also
 * what is kept of that phone: its language, its attempts and their count, and who it is at the oracle. One atomic step; a second time there is nothing left to remove.
 * Resolves with how many rows of each kind are gone.
 */
function removeSubscriber(db: Database, id: string) {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(customers).where(eq(customers.id, id)).returning({ phone: customers.phone });
    const subjects: string[] = [...subjectsOf(id)];
    let isLast = false;
    if (gone !== undefined) {
      // Whoever creates an account for this phone waits here.
      await tx.select({ number: phones.number }).from(phones).where(eq(phones.number, gone.phone)).for('update');
      const isOther = and(eq(customers.phone, gone.phone), ne(customers.id, id));
      isLast = (await tx.select({ id: customers.id }).from(customers).where(isOther).limit(1)).length === 0;
      if (isLast) subjects.push(phoneSubject(gone.phone));
    }
    const counts = await removeCounts(tx, subjects);
    const attempts = await removeAttempts(tx, eq(pinAttempts.customerId, id));
    const ended = and(eq(effectIntents.phone, gone?.phone ?? ''), isNotNull(effectIntents.endedAt));
    const effects = await tx.delete(effectIntents).where(ended).returning({ key: effectIntents.key });
    const ofPhone = isLast && gone !== undefined;
    const others = ofPhone ? await removeAttempts(tx, eq(pinAttempts.phone, gone.phone)) : 0;
    if (ofPhone) {
      await tx.delete(linkCodes).where(eq(linkCodes.phone, gone.phone));
      await tx.delete(phoneIdentities).where(eq(phoneIdentities.phone, gone.phone));
    }
    const numbers = ofPhone ? await tx.delete(phones).where(eq(phones.number, gone.phone)).returning(phoneColumns) : [];
    return {
      accounts: gone === undefined ? 0 : 1,
      attempts: attempts + others,
      counts,
      effects: effects.length,
      phones: numbers.length,
    };
  });
}

async function removeAttempts(tx: Database, which: ReturnType<typeof eq>): Promise<number> {
  return (await tx.delete(pinAttempts).where(which).returning({ key: pinAttempts.key })).length;
}

/** Not the sealed PIN, which is for nobody to take away, nor the keys that hops are known by. */
const customerColumns = {
  id: customers.id,
  fullName: customers.fullName,
  email: customers.email,
  phone: customers.phone,
  createdAt: customers.createdAt,
  codeUntil: customers.codeUntil,
};

/** Not what is sealed, which is for nobody to take away. */
const identityColumns = {
  did: phoneIdentities.did,
  sessionId: phoneIdentities.sessionId,
  linkedDid: phoneIdentities.linkedDid,
  askedOn: phoneIdentities.askedOn,
  asked: phoneIdentities.asked,
  createdAt: phoneIdentities.createdAt,
};

const phoneColumns = { language: phones.language, createdAt: phones.createdAt };

const effectColumns = {
  effect: effectIntents.effect,
  startedAt: effectIntents.startedAt,
  endedAt: effectIntents.endedAt,
};

const attemptColumns = { phone: pinAttempts.phone, outcome: pinAttempts.outcome, at: pinAttempts.at };
