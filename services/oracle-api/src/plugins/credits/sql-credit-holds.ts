import { and, eq, lte, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../api/plugin-storage.js';
import type { CreditHold, CreditLedger } from './credit-ledger.js';
import { creditAccounts, creditHolds } from './schema.js';

type Transaction = Parameters<Parameters<PluginDatabase['transaction']>[0]>[0];

/** What is set aside for turns under way. */
export function sqlCreditHolds(db: PluginDatabase): Pick<CreditLedger, 'reserve' | 'heldFor' | 'release'> {
  function tryReserve(hold: CreditHold): Promise<boolean> {
    const { ownerDid, tokens } = hold;
    const isAvailable = sql`${creditAccounts.balance} - ${creditAccounts.owed} - ${creditAccounts.held} > 0`;
    return db.transaction(async (tx) => {
      const reserved = await tx
        .update(creditAccounts)
        .set({ held: sql`${creditAccounts.held} + ${tokens}` })
        .where(and(eq(creditAccounts.ownerDid, ownerDid), isAvailable))
        .returning();
      if (reserved.length === 0) return false;
      await tx.insert(creditHolds).values(hold);
      return true;
    });
  }

  /** False when there is nothing to let go. */
  async function letExpire(ownerDid: string, at: Date): Promise<boolean> {
    return db.transaction(async (tx) => {
      const isOver = and(eq(creditHolds.ownerDid, ownerDid), lte(creditHolds.expiresAt, at));
      const over = await tx.delete(creditHolds).where(isOver).returning();
      const tokens = over.reduce((sum, hold) => sum + hold.tokens, 0);
      if (over.length > 0) await letGo(tx, ownerDid, tokens);
      return over.length > 0;
    });
  }

  return {
    async reserve(hold, at) {
      if (await tryReserve(hold)) return true;
      return (await letExpire(hold.ownerDid, at)) && tryReserve(hold);
    },

    async heldFor(runId) {
      const [hold] = await db
        .select({ tokens: creditHolds.tokens })
        .from(creditHolds)
        .where(eq(creditHolds.runId, runId));
      return hold?.tokens;
    },

    async release(runId) {
      await db.transaction(async (tx) => {
        const [hold] = await tx.delete(creditHolds).where(eq(creditHolds.runId, runId)).returning();
        if (hold !== undefined) await letGo(tx, hold.ownerDid, hold.tokens);
      });
    },
  };
}

async function letGo(tx: Transaction, ownerDid: string, tokens: number): Promise<void> {
  await tx
    .update(creditAccounts)
    .set({ held: sql`${creditAccounts.held} - ${tokens}` })
    .where(eq(creditAccounts.ownerDid, ownerDid));
}
