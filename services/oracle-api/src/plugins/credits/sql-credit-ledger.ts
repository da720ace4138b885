import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../../plugin-kit/plugin-tables.js';
import { type CreditAccount, type CreditClaim, type CreditLedger, listedClaims, type TopUp } from './credit-ledger.js';
import { creditAccounts, creditClaims, creditTopUps } from './schema.js';

const isOpen = isNull(creditClaims.settledAt);

const claimColumns = {
  claimId: creditClaims.claimId,
  ownerDid: creditClaims.ownerDid,
  tokens: creditClaims.tokens,
  openedAt: creditClaims.openedAt,
};

/** Credits in Postgres or PGlite. */
export class SqlCreditLedger implements CreditLedger {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async open(claim: CreditClaim): Promise<void> {
    await this.#db.insert(creditClaims).values(claim).onConflictDoNothing();
  }

  async accountOf(ownerDid: string): Promise<CreditAccount> {
    const ofOwner = and(eq(creditClaims.ownerDid, ownerDid), isOpen);
    // What is owed is read first: a claim that is paid meanwhile then counts twice, never not at all.
    const [owed] = await this.#db
      .select({ tokens: sql<string>`coalesce(sum(${creditClaims.tokens}), 0)` })
      .from(creditClaims)
      .where(ofOwner);
    const claims = await this.#db
      .select({ claimId: creditClaims.claimId })
      .from(creditClaims)
      .where(ofOwner)
      .orderBy(asc(creditClaims.position))
      .limit(listedClaims);
    const [account] = await this.#db.select().from(creditAccounts).where(eq(creditAccounts.ownerDid, ownerDid));
    return {
      balance: account?.balance ?? 0,
      owed: Number(owed?.tokens ?? 0),
      openClaims: claims.map(({ claimId }) => claimId),
    };
  }

  async topUp({ topUpId, ownerDid, tokens, at }: TopUp): Promise<number> {
    return this.#db.transaction(async (tx) => {
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
  }

  async payableClaims(limit: number): Promise<CreditClaim[]> {
    return this.#db
      .select(claimColumns)
      .from(creditClaims)
      .innerJoin(creditAccounts, eq(creditAccounts.ownerDid, creditClaims.ownerDid))
      .where(and(isOpen, sql`${creditAccounts.balance} >= greatest(${creditClaims.tokens}, 1)`))
      .orderBy(asc(creditClaims.position))
      .limit(limit);
  }

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
        .set({ balance: sql`${creditAccounts.balance} - ${claim.tokens}` })
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

  async openClaims(limit: number, afterClaimId?: string): Promise<CreditClaim[]> {
    const after = this.#db
      .select({ position: creditClaims.position })
      .from(creditClaims)
      .where(eq(creditClaims.claimId, afterClaimId ?? ''));
    return this.#db
      .select(claimColumns)
      .from(creditClaims)
      .where(and(isOpen, afterClaimId === undefined ? undefined : gt(creditClaims.position, after)))
      .orderBy(asc(creditClaims.position))
      .limit(limit);
  }

  async close(claimIds: readonly string[], at: Date): Promise<number> {
    if (claimIds.length === 0) return 0;
    const closed = await this.#db
      .update(creditClaims)
      .set({ settledAt: at })
      .where(and(inArray(creditClaims.claimId, [...claimIds]), isOpen))
      .returning({ claimId: creditClaims.claimId });
    return closed.length;
  }
}
