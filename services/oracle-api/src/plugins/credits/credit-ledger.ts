import { and, asc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { ForgottenRows, OwnRow, RetainedRows } from '../../account/account-data.js';
import { ownRows, rowsByKind } from '../../account/sql-account-rows.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { CreditClaims, isOpen } from './credit-claims.js';
import {
  type ClaimedHold,
  type CreditAccount,
  type CreditClaim,
  type CreditHold,
  listedClaims,
  type OutstandingCredits,
  type TopUp,
} from './credit-records.js';
import { creditAccounts, creditClaims, creditHolds, creditTopUps } from './schema.js';

/**
 * Ledger of the users' credits and usage.
 *
 * Idempotency: a claim or a top-up with an existing id changes nothing.
 * Atomicity: a claim is settled once, and its tokens leave the balance in the same step; a balance never falls below 0. Available
 * tokens are the balance minus debts and holds. Concurrent reservations see each other, and a claim replaces its hold in one step.
 * Errors: rejects if the ledger is unreachable; no partial changes.
 * Locks are taken in one order to avoid deadlocks: holds, claims, accounts.
 */
export class CreditLedger extends CreditClaims {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    super(db);
    this.#db = db;
  }

  /** Opens a claim, and reduces a hold by the same amount. */
  async open(claim: CreditClaim, hold?: ClaimedHold): Promise<void> {
    const { ownerDid, tokens } = claim;
    await this.#db.transaction(async (tx) => {
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
  }

  async accountOf(ownerDid: string): Promise<CreditAccount> {
    const ofOwner = and(eq(creditClaims.ownerDid, ownerDid), isOpen);
    // Debts are read first: a claim that is paid in between counts twice instead of never.
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
      held: account?.held ?? 0,
      owed: Number(owed?.tokens ?? 0),
      openClaims: claims.map(({ claimId }) => claimId),
    };
  }

  /** Returns the balance. */
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
      if (account === undefined) throw new Error('an upsert returned no row');
      return account.balance;
    });
  }

  /** Stores the balance of an external account; false, without a change, if the local balance is no longer `seen`. */
  async mirror(ownerDid: string, balance: number, seen: number): Promise<boolean> {
    const set = await this.#db
      .insert(creditAccounts)
      .values({ ownerDid, balance })
      .onConflictDoUpdate({
        target: creditAccounts.ownerDid,
        set: { balance: sql`excluded.balance` },
        setWhere: eq(creditAccounts.balance, seen),
      })
      .returning();
    return set.length > 0;
  }

  /** Iterates over all rows of a user, in small pages. */
  rowsOf(ownerDid: string): AsyncIterable<OwnRow> {
    return creditRows(this.#db, ownerDid);
  }

  /**
   * Deletes the user's rows as far as accounting permits: unsettled usage and a nonzero balance stay. Only the ids of payments stay,
   * so that a repeated notification does not count twice.
   */
  forget(ownerDid: string): Promise<ForgottenRows> {
    return forgetCredits(this.#db, ownerDid);
  }

  /** Totals of all users, without claims of 0 tokens. */
  outstanding(): Promise<OutstandingCredits> {
    return outstandingCredits(this.#db);
  }

  /**
   * Reserves tokens if any are available; false if none are. A reservation may exceed the available tokens, so that the last token
   * still pays for a turn. Expired holds of the owner are released before a refusal.
   */
  async reserve(hold: CreditHold, at: Date): Promise<boolean> {
    if (await this.#tryReserve(hold)) return true;
    return (await this.#deleteExpired(hold.ownerDid, at)) && this.#tryReserve(hold);
  }

  /** Tokens still reserved for a run; undefined without a hold. */
  async heldFor(runId: string): Promise<number | undefined> {
    const [hold] = await this.#db
      .select({ tokens: creditHolds.tokens })
      .from(creditHolds)
      .where(eq(creditHolds.runId, runId));
    return hold?.tokens;
  }

  /** Releases the remaining hold of a run. */
  async release(runId: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const [hold] = await tx.delete(creditHolds).where(eq(creditHolds.runId, runId)).returning();
      if (hold !== undefined) await reduceHeld(tx, hold.ownerDid, hold.tokens);
    });
  }

  #tryReserve(hold: CreditHold): Promise<boolean> {
    const { ownerDid, tokens } = hold;
    const isAvailable = sql`${creditAccounts.balance} - ${creditAccounts.owed} - ${creditAccounts.held} > 0`;
    return this.#db.transaction(async (tx) => {
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

  /** Returns false if no hold has expired. */
  async #deleteExpired(ownerDid: string, at: Date): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const isOver = and(eq(creditHolds.ownerDid, ownerDid), lte(creditHolds.expiresAt, at));
      const over = await tx.delete(creditHolds).where(isOver).returning();
      const tokens = over.reduce((sum, hold) => sum + hold.tokens, 0);
      if (over.length > 0) await reduceHeld(tx, ownerDid, tokens);
      return over.length > 0;
    });
  }
}

type Transaction = Parameters<Parameters<PluginDatabase['transaction']>[0]>[0];

async function reduceHeld(tx: Transaction, ownerDid: string, tokens: number): Promise<void> {
  await tx
    .update(creditAccounts)
    .set({ held: sql`${creditAccounts.held} - ${tokens}` })
    .where(eq(creditAccounts.ownerDid, ownerDid));
}

/** Reads only open claims and holds, not accounts: unsettled claims have an index, and holds exist only for current turns. */
async function outstandingCredits(db: PluginDatabase): Promise<OutstandingCredits> {
  const [[claims], [holds]] = await Promise.all([
    db
      .select({
        owed: sql<number>`coalesce(sum(${creditClaims.tokens}), 0)`.mapWith(Number),
        oldest: sql<Date | null>`min(${creditClaims.openedAt})`.mapWith(creditClaims.openedAt),
      })
      .from(creditClaims)
      .where(and(isNull(creditClaims.settledAt), gt(creditClaims.tokens, 0))),
    db.select({ held: sql<number>`coalesce(sum(${creditHolds.tokens}), 0)`.mapWith(Number) }).from(creditHolds),
  ]);
  return { owed: claims?.owed ?? 0, held: holds?.held ?? 0, oldestOpenedAt: claims?.oldest ?? undefined };
}

/** Iterates over the rows of a user's credits. */
function creditRows(db: PluginDatabase, did: string): AsyncIterable<OwnRow> {
  return rowsByKind(db, {
    accounts: ownRows(creditAccounts, did, []),
    claims: ownRows(creditClaims, did, ['position']),
    'top-ups': ownRows(creditTopUps, did, ['topUpId']),
  });
}

const why = {
  claims: 'This usage has not been settled yet.',
  accounts: 'Your balance is not 0, so it is retained.',
};

/** Locks in the order of the ledger: holds, claims, accounts. */
function forgetCredits(db: PluginDatabase, did: string): Promise<ForgottenRows> {
  return db.transaction(async (tx) => {
    const holds = await tx.delete(creditHolds).where(eq(creditHolds.ownerDid, did)).returning();
    const ofOwner = eq(creditClaims.ownerDid, did);
    const settled = await tx
      .delete(creditClaims)
      .where(and(ofOwner, isNotNull(creditClaims.settledAt)))
      .returning({ claimId: creditClaims.claimId });
    // Claims of 0 tokens that were never settled.
    const begun = await tx
      .delete(creditClaims)
      .where(and(ofOwner, eq(creditClaims.tokens, 0)))
      .returning({ claimId: creditClaims.claimId });
    const open = await tx
      .select({ claimId: creditClaims.claimId })
      .from(creditClaims)
      .where(and(ofOwner, isNull(creditClaims.settledAt)));
    const freed = holds.reduce((sum, { tokens }) => sum + tokens, 0);
    const [account] = await tx
      .update(creditAccounts)
      .set({ held: sql`${creditAccounts.held} - ${freed}` })
      .where(eq(creditAccounts.ownerDid, did))
      .returning();
    const hasBalance = account !== undefined && account.balance !== 0;
    if (open.length === 0 && !hasBalance) await tx.delete(creditAccounts).where(eq(creditAccounts.ownerDid, did));
    // The ids stay without the owner and the amount, so that a repeated payment does not count twice.
    const paid = await tx
      .update(creditTopUps)
      .set({ ownerDid: '', tokens: 0 })
      .where(eq(creditTopUps.ownerDid, did))
      .returning({ topUpId: creditTopUps.topUpId });
    const isDeleted = account !== undefined && open.length === 0 && !hasBalance;
    const retained: RetainedRows[] = [
      { kind: 'claims', count: open.length, why: why.claims },
      { kind: 'accounts', count: hasBalance ? 1 : 0, why: why.accounts },
    ];
    return {
      deleted: {
        claims: settled.length + begun.length,
        holds: holds.length,
        accounts: isDeleted ? 1 : 0,
        'top-ups': paid.length,
      },
      kept: retained.filter(({ count }) => count !== 0),
    };
  });
}
