import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../../plugin-kit/plugin-tables.js';
import { type CreditHold, type CreditLedger, listedClaims, longestRetryMs, retryMs } from './credit-ledger.js';
import { creditAccounts, creditClaims, creditHolds, creditTopUps } from './schema.js';
import { outstandingCredits } from './sql-outstanding-credits.js';
import { creditRows, forgetCredits } from './sql-own-credits.js';

const isOpen = isNull(creditClaims.settledAt);

const claimColumns = {
  claimId: creditClaims.claimId,
  ownerDid: creditClaims.ownerDid,
  tokens: creditClaims.tokens,
  openedAt: creditClaims.openedAt,
};

type Transaction = Parameters<Parameters<PluginDatabase['transaction']>[0]>[0];

/** Credits in Postgres or PGlite. Rows are locked in one order, so that nobody waits in a ring: holds, claims, accounts. */
export function sqlCreditLedger(db: PluginDatabase): CreditLedger {
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

    rowsOf(ownerDid) {
      return creditRows(db, ownerDid);
    },

    forget(ownerDid) {
      return forgetCredits(db, ownerDid);
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

    outstanding: () => outstandingCredits(db),
    async payableClaims(limit) {
      return db
        .select(claimColumns)
        .from(creditClaims)
        .innerJoin(creditAccounts, eq(creditAccounts.ownerDid, creditClaims.ownerDid))
        .where(and(isOpen, sql`${creditAccounts.balance} >= greatest(${creditClaims.tokens}, 1)`))
        .orderBy(asc(creditClaims.position))
        .limit(limit);
    },

    async pay(claimId, at) {
      return db.transaction(async (tx) => {
        const [claim] = await tx
          .select(claimColumns)
          .from(creditClaims)
          .where(and(eq(creditClaims.claimId, claimId), isOpen))
          .for('update');
        if (claim === undefined) return false;
        const paid = await tx
          .update(creditAccounts)
          .set({
            balance: sql`${creditAccounts.balance} - ${claim.tokens}`,
            owed: sql`${creditAccounts.owed} - ${claim.tokens}`,
          })
          .where(
            and(
              eq(creditAccounts.ownerDid, claim.ownerDid),
              sql`${creditAccounts.balance} >= ${Math.max(claim.tokens, 1)}`,
            ),
          )
          .returning();
        if (paid.length === 0) return false;
        await tx.update(creditClaims).set({ settledAt: at }).where(eq(creditClaims.claimId, claimId));
        return true;
      });
    },

    async takeDue(limit, at) {
      const { attempts, nextAttemptAt } = creditClaims;
      const due = db
        .select({ claimId: creditClaims.claimId })
        .from(creditClaims)
        .where(and(isOpen, lte(nextAttemptAt, at)))
        .orderBy(asc(nextAttemptAt), asc(creditClaims.position))
        .limit(limit)
        .for('update', { skipLocked: true });
      const waits = sql`least(${retryMs}::float8 * 2 ^ least(${attempts}, 30), ${longestRetryMs}::float8)`;
      const taken = await db
        .update(creditClaims)
        .set({
          attempts: sql`${attempts} + 1`,
          nextAttemptAt: sql`${at.toISOString()}::timestamptz + ${waits} * interval '1 millisecond'`,
        })
        .where(inArray(creditClaims.claimId, due))
        .returning({ ...claimColumns, attempts: sql<number>`${attempts} - 1`, position: creditClaims.position });
      return taken
        .sort((one, other) => one.position - other.position)
        .map(({ position: _position, ...claim }) => claim);
    },

    async hurry(at) {
      await db
        .update(creditClaims)
        .set({ nextAttemptAt: at })
        .where(and(isOpen, gt(creditClaims.nextAttemptAt, at)));
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

    async close(claimIds, at) {
      if (claimIds.length === 0) return 0;
      return db.transaction(async (tx) => {
        const closed = await tx
          .update(creditClaims)
          .set({ settledAt: at })
          .where(and(inArray(creditClaims.claimId, [...claimIds]), isOpen))
          .returning({ ownerDid: creditClaims.ownerDid, tokens: creditClaims.tokens });
        for (const ownerDid of [...new Set(closed.map((claim) => claim.ownerDid))].sort()) {
          const theirs = closed.filter((claim) => claim.ownerDid === ownerDid);
          const tokens = theirs.reduce((sum, claim) => sum + claim.tokens, 0);
          await tx
            .update(creditAccounts)
            .set({
              owed: sql`${creditAccounts.owed} - ${tokens}`,
              balance: sql`greatest(${creditAccounts.balance} - ${tokens}, 0)`,
            })
            .where(eq(creditAccounts.ownerDid, ownerDid));
        }
        return closed.length;
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
