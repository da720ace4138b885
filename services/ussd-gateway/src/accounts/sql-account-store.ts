import { and, asc, eq, exists, gt, sql } from 'drizzle-orm';
import { effectsDone } from '../effects/schema.js';
import type { AccountStore, Creation, Customer, NewCustomer } from './account-store.js';
import { customers, phones } from './schema.js';
import { SqlLockouts, unlockCustomer } from './sql-lockouts.js';

/** Accounts in Postgres or PGlite. */
export class SqlAccountStore extends SqlLockouts implements AccountStore {
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

  async replacePin(customerId: string, from: string, to: string): Promise<boolean> {
    const isSame = and(eq(customers.id, customerId), eq(customers.sealedPin, from));
    const replaced = await this.db
      .update(customers)
      .set({ sealedPin: to })
      .where(isSame)
      .returning({ id: customers.id });
    return replaced.length > 0;
  }

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

  issueCode(customerId: string, sealedCode: string, lifeMs: number): Promise<boolean> {
    const codeUntil = sql`now() + ${`${lifeMs} milliseconds`}::interval`;
    return this.db.transaction(async (tx) => {
      const isKnown = await unlockCustomer(tx, customerId);
      const issued = { sealedPin: sealedCode, codeUntil, codeGrant: null };
      if (isKnown) await tx.update(customers).set(issued).where(eq(customers.id, customerId));
      return isKnown;
    });
  }

  async resetPin(customerId: string, grant: string, sealedPin: string): Promise<Customer | undefined> {
    // The grant is not deleted, so that a retry of this step succeeds.
    const [row] = await this.db
      .update(customers)
      .set({ sealedPin, codeUntil: null })
      .where(and(eq(customers.id, customerId), eq(customers.codeGrant, grant)))
      .returning(customerColumns);
    return row && { ...row, email: row.email ?? undefined };
  }

  async listPins(afterId: string, limit: number) {
    return this.db
      .select({ id: customers.id, sealedPin: customers.sealedPin })
      .from(customers)
      .where(gt(customers.id, afterId))
      .orderBy(asc(customers.id))
      .limit(limit);
  }

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
