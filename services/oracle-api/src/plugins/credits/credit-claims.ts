import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { type CreditClaim, longestRetryMs, retryMs, type TakenClaim } from './credit-records.js';
import { creditAccounts, creditClaims } from './schema.js';

export const isOpen = isNull(creditClaims.settledAt);

const claimColumns = {
  claimId: creditClaims.claimId,
  ownerDid: creditClaims.ownerDid,
  tokens: creditClaims.tokens,
  openedAt: creditClaims.openedAt,
};

/** Settlement of claims, from local balances or by an external service: part of `CreditLedger`. */
export class CreditClaims {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** Claims that the balances of their owners can pay, oldest first. */
  async payableClaims(limit: number): Promise<CreditClaim[]> {
    return this.#db
      .select(claimColumns)
      .from(creditClaims)
      .innerJoin(creditAccounts, eq(creditAccounts.ownerDid, creditClaims.ownerDid))
      .where(and(isOpen, sql`${creditAccounts.balance} >= greatest(${creditClaims.tokens}, 1)`))
      .orderBy(asc(creditClaims.position))
      .limit(limit);
  }

  /** Pays a claim from its owner's balance; false if the balance is too small or the claim is not open. */
  async pay(claimId: string, at: Date): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
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
  }

  /**
   * Takes open claims that are due for submission; each claim goes to one of several concurrent callers. A claim that is not closed
   * is due again after `retryMs`, twice as long each time, up to `longestRetryMs`.
   */
  async takeDue(limit: number, at: Date): Promise<TakenClaim[]> {
    const { attempts, nextAttemptAt } = creditClaims;
    const due = this.#db
      .select({ claimId: creditClaims.claimId })
      .from(creditClaims)
      .where(and(isOpen, lte(nextAttemptAt, at)))
      .orderBy(asc(nextAttemptAt), asc(creditClaims.position))
      .limit(limit)
      .for('update', { skipLocked: true });
    const waits = sql`least(${retryMs}::float8 * 2 ^ least(${attempts}, 30), ${longestRetryMs}::float8)`;
    const taken = await this.#db
      .update(creditClaims)
      .set({
        attempts: sql`${attempts} + 1`,
        nextAttemptAt: sql`${at.toISOString()}::timestamptz + ${waits} * interval '1 millisecond'`,
      })
      .where(inArray(creditClaims.claimId, due))
      .returning({ ...claimColumns, attempts: sql<number>`${attempts} - 1`, position: creditClaims.position });
    return taken.sort((one, other) => one.position - other.position).map(({ position: _position, ...claim }) => claim);
  }

  /** Makes all open claims due. */
  async hurry(at: Date): Promise<void> {
    await this.#db
      .update(creditClaims)
      .set({ nextAttemptAt: at })
      .where(and(isOpen, gt(creditClaims.nextAttemptAt, at)));
  }

  /**
   * Closes claims that an external service has accepted, and deducts their tokens from the balance, at most to 0. Returns the number
   * of claims that were open.
   */
  async close(claimIds: readonly string[], at: Date): Promise<number> {
    if (claimIds.length === 0) return 0;
    return this.#db.transaction(async (tx) => {
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
  }
}
