import { and, asc, eq, exists, gt, sql } from 'drizzle-orm';
import { effectsDone } from '../effects/schema.js';
import type { Creation, Customer, NewCustomer } from './account.js';
import { AttemptCounters, unlockCustomer } from './attempt-counters.js';
import { customers, phones } from './schema.js';

/**
 * Customers, languages of subscribers, and counters of wrong PINs, in Postgres or PGlite.
 *
 * Guarantees: every method is one atomic step, by the clock of the database, for all processes. `takeAttempt` takes an attempt from
 * customer and phone before the PIN is compared, so that parallel guesses have no more attempts; the last one locks at once, and
 * `settleAttempt` undoes that if it was right. A customer has two counters, one for the own phone and one for all other phones: other
 * callers lock out each other, never the owner. A repeated key costs nothing. An unavailable store rejects; the step was then done
 * completely or not at all.
 *
 * An unknown id costs an attempt of the phone and of its decoy counter, so that it shows attempts and locks as a known id does. A decoy
 * is shared by many ids, and cannot be computed without the keys. Stored attempts name the decoy, never the unknown id.
 */
export class AccountStore extends AttemptCounters {
  /** @param perDay accounts that one phone may create in 24 hours, including this one and those of parallel calls. */
  async createCustomer(customer: NewCustomer, perDay: number): Promise<Creation> {
    const { id, creationKey, fullName, email = null, phone, sealedPin } = customer;
    const [row] = await this.db
      .select({ kind: sql<Creation['kind']>`kind`, customerId: sql<string>`customer_id` })
      .from(sql`create_customer(${id}, ${creationKey}, ${fullName}, ${email}, ${phone}, ${sealedPin}, ${perDay})`);
    if (row === undefined) throw new Error('create_customer returned no row');
    return row.kind === 'created' ? { kind: row.kind, customerId: row.customerId } : { kind: row.kind };
  }

  async findCustomer(id: string): Promise<Customer | undefined> {
    const [row] = await this.db.select(customerColumns).from(customers).where(eq(customers.id, id));
    return row && { ...row, email: row.email ?? undefined };
  }

  /** Replaces a sealed PIN by another. False, and nothing was changed, if the stored one differs. */
  async replacePin(customerId: string, from: string, to: string): Promise<boolean> {
    const isSame = and(eq(customers.id, customerId), eq(customers.sealedPin, from));
    const replaced = await this.db
      .update(customers)
      .set({ sealedPin: to })
      .where(isSame)
      .returning({ id: customers.id });
    return replaced.length > 0;
  }

  /** Sets a PIN once for a key: a retry does not undo a later choice. */
  async setPin(customerId: string, sealedPin: string, key: string): Promise<void> {
    const first = this.db
      .$with('first')
      .as(this.db.insert(effectsDone).values({ key }).onConflictDoNothing().returning({ key: effectsDone.key }));
    await this.db
      .with(first)
      .update(customers)
      .set({ sealedPin, codeUntil: null, codeGrant: null })
      .where(and(eq(customers.id, customerId), exists(this.db.select({ key: first.key }).from(first))));
  }

  /**
   * Replaces the PIN, or an earlier code, by a sealed one-time code, and lifts the locks of the customer. False if the customer does not
   * exist.
   */
  issueCode(customerId: string, sealedCode: string, lifeMs: number): Promise<boolean> {
    const codeUntil = sql`now() + ${`${lifeMs} milliseconds`}::interval`;
    return this.db.transaction(async (tx) => {
      const isKnown = await unlockCustomer(tx, customerId);
      const issued = { sealedPin: sealedCode, codeUntil, codeGrant: null };
      if (isKnown) await tx.update(customers).set(issued).where(eq(customers.id, customerId));
      return isKnown;
    });
  }

  /**
   * Replaces a one-time code by a PIN.
   *
   * @param grant the key of the last attempt that was right by the code.
   * @returns the customer; undefined, and nothing was changed, if the code or the PIN has changed since.
   */
  async resetPin(customerId: string, grant: string, sealedPin: string): Promise<Customer | undefined> {
    // The grant is not deleted, so that a retry of this step succeeds.
    const [row] = await this.db
      .update(customers)
      .set({ sealedPin, codeUntil: null })
      .where(and(eq(customers.id, customerId), eq(customers.codeGrant, grant)))
      .returning(customerColumns);
    return row && { ...row, email: row.email ?? undefined };
  }

  /** Sealed PINs in the order of customer ids, after an id. */
  async listPins(afterId: string, limit: number) {
    return this.db
      .select({ id: customers.id, sealedPin: customers.sealedPin })
      .from(customers)
      .where(gt(customers.id, afterId))
      .orderBy(asc(customers.id))
      .limit(limit);
  }

  /** Stores the language chosen by a subscriber: dials use it (`sessions/find-caller`). */
  async setLanguage(phone: string, language: string): Promise<void> {
    await this.db
      .insert(phones)
      .values({ number: phone, language })
      .onConflictDoUpdate({ target: phones.number, set: { language } });
  }
}

const customerColumns = {
  id: customers.id,
  fullName: customers.fullName,
  email: customers.email,
  phone: customers.phone,
  sealedPin: customers.sealedPin,
};
