import type { SqlDatabase } from '@mlango/service-kit/database';
import { eq } from 'drizzle-orm';
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

  async delete(ownerDid: string): Promise<boolean> {
    const deleted = await this.#db
      .delete(delegations)
      .where(eq(delegations.ownerDid, ownerDid))
      .returning({ ownerDid: delegations.ownerDid });
    return deleted.length > 0;
  }
}
