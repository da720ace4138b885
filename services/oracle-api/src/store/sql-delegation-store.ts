import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, eq, gt } from 'drizzle-orm';
import type { DelegationStore, SealedDelegation } from './delegation-store.js';
import type * as schema from './schema.js';
import { delegations } from './schema.js';

/** Delegations in Postgres or PGlite. */
export class SqlDelegationStore implements DelegationStore {
  readonly #db: SqlDatabase<typeof schema>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
  }

  async find(ownerDid: string): Promise<SealedDelegation | undefined> {
    const [row] = await this.#db.select().from(delegations).where(eq(delegations.ownerDid, ownerDid));
    if (row === undefined) return undefined;
    return { sealed: row.sealed, ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }) };
  }

  async put(
    ownerDid: string,
    { sealed, expiresAt = null }: Omit<SealedDelegation, 'expiresAt'> & { expiresAt?: number | null },
  ) {
    const row = { sealed, expiresAt };
    await this.#db
      .insert(delegations)
      .values({ ownerDid, ...row })
      .onConflictDoUpdate({ target: delegations.ownerDid, set: row });
  }

  async list(afterDid: string, limit: number): Promise<{ ownerDid: string; sealed: string }[]> {
    return this.#db
      .select({ ownerDid: delegations.ownerDid, sealed: delegations.sealed })
      .from(delegations)
      .where(gt(delegations.ownerDid, afterDid))
      .orderBy(delegations.ownerDid)
      .limit(limit);
  }

  async reseal(ownerDid: string, before: string, sealed: string): Promise<boolean> {
    const resealed = await this.#db
      .update(delegations)
      .set({ sealed })
      .where(and(eq(delegations.ownerDid, ownerDid), eq(delegations.sealed, before)))
      .returning({ ownerDid: delegations.ownerDid });
    return resealed.length > 0;
  }

  async delete(ownerDid: string): Promise<boolean> {
    const deleted = await this.#db
      .delete(delegations)
      .where(eq(delegations.ownerDid, ownerDid))
      .returning({ ownerDid: delegations.ownerDid });
    return deleted.length > 0;
  }
}
