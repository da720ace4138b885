import { and, asc, eq, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { type CreditLedger, listedClaims } from './credit-ledger.js';
import { creditAccounts, creditClaims, creditHolds, creditTopUps } from './schema.js';
import { isOpen, sqlCreditClaims } from './sql-credit-claims.js';
import { sqlCreditHolds } from './sql-credit-holds.js';
import { outstandingCredits } from './sql-outstanding-credits.js';
import { creditRows, forgetCredits } from './sql-own-credits.js';

/** Credits in Postgres or PGlite. Rows are locked in one order, so that nobody waits in a ring: holds, claims, accounts. */
export function sqlCreditLedger(db: PluginDatabase): CreditLedger {
  return {
    ...sqlCreditHolds(db),
    ...sqlCreditClaims(db),

    async open(claim, hold) {
      const { ownerDid, tokens } = claim;
      await db.transaction(async (tx) => {
        const ofRun = eq(creditHolds.runId, hold?.runId ?? '');
        const [held] = hold === undefined ? [] : await tx.select().from(creditHolds).where(ofRun).for('update');
        const opened = await tx.insert(creditClaims).values(claim).onConflictDoNothing().returning();
        if (opened.length === 0) return;
        const taken = Math.min(held?.tokens ?? 0, tokens);
        if (held !== undefined) {
          const expiresAt = hold?.until ?? held.expiresAt;
          await tx
            .update(creditHolds)
            .set({ tokens: held.tokens - taken, expiresAt })
            .where(ofRun);
        }
        await tx
          .insert(creditAccounts)
          .values({ ownerDid, balance: 0, owed: tokens })
          .onConflictDoUpdate({
            target: creditAccounts.ownerDid,
            set: { owed: sql`${creditAccounts.owed} + ${tokens}`, held: sql`${creditAccounts.held} - ${taken}` },
          });
      });
    },

    async accountOf(ownerDid) {
      const ofOwner = and(eq(creditClaims.ownerDid, ownerDid), isOpen);
      // What is owed is read first: a claim that is paid meanwhile then counts twice, never not at all.
      const [owed] = await db
        .select({ tokens: sql<string>`coalesce(sum(${creditClaims.tokens}), 0)` })
        .from(creditClaims)
        .where(ofOwner);
      const claims = await db
        .select({ claimId: creditClaims.claimId })
        .from(creditClaims)
        .where(ofOwner)
        .orderBy(asc(creditClaims.position))
        .limit(listedClaims);
      const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.ownerDid, ownerDid));
      return {
        balance: account?.balance ?? 0,
        held: account?.held ?? 0,
        owed: Number(owed?.tokens ?? 0),
        openClaims: claims.map(({ claimId }) => claimId),
      };
    },

    async topUp({ topUpId, ownerDid, tokens, at }) {
      return db.transaction(async (tx) => {
        const added = await tx
          .insert(creditTopUps)
          .values({ topUpId, ownerDid, tokens, createdAt: at })
          .onConflictDoNothing()
          .returning();
        const [account] = await tx
          .insert(creditAccounts)
          .values({ ownerDid, balance: added.length === 0 ? 0 : tokens })
          .onConflictDoUpdate({
            target: creditAccounts.ownerDid,
            set: { balance: sql`${creditAccounts.balance} + excluded.balance` },
          })
          .returning();
        if (account === undefined) throw new Error('an upsert gave no row back');
        return account.balance;
      });
    },

    async mirror(ownerDid, balance, seen) {
      const set = await db
        .insert(creditAccounts)
        .values({ ownerDid, balance })
        .onConflictDoUpdate({
          target: creditAccounts.ownerDid,
          set: { balance: sql`excluded.balance` },
          setWhere: eq(creditAccounts.balance, seen),
        })
        .returning();
      return set.length > 0;
    },

    rowsOf(ownerDid) {
      return creditRows(db, ownerDid);
    },

    forget(ownerDid) {
      return forgetCredits(db, ownerDid);
    },

    outstanding: () => outstandingCredits(db),
  };
}
