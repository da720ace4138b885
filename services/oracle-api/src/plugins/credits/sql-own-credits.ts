import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { ownRows, rowsByKind } from '../../store/messages.js';
import type { ForgottenRows, KeptRows, OwnRow } from '../api/account-data.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { creditAccounts, creditClaims, creditHolds, creditTopUps } from './schema.js';

/** What is kept of a user's credits. */
export function creditRows(db: PluginDatabase, did: string): AsyncIterable<OwnRow> {
  return rowsByKind(db, {
    accounts: ownRows(creditAccounts, did, []),
    claims: ownRows(creditClaims, did, ['position']),
    'top-ups': ownRows(creditTopUps, did, ['topUpId']),
  });
}

const why = {
  claims: 'You have used this, and it has not been settled yet.',
  accounts: 'Your balance is not 0: it stays yours.',
};

/** Locks in the order of the ledger: holds, claims, accounts. */
export function forgetCredits(db: PluginDatabase, did: string): Promise<ForgottenRows> {
  return db.transaction(async (tx) => {
    const holds = await tx.delete(creditHolds).where(eq(creditHolds.ownerDid, did)).returning();
    const ofOwner = eq(creditClaims.ownerDid, did);
    const settled = await tx
      .delete(creditClaims)
      .where(and(ofOwner, isNotNull(creditClaims.settledAt)))
      .returning({ claimId: creditClaims.claimId });
    // Of 0 tokens: somebody was asked to begin, and never did.
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
    // Their ids stay, and say of nobody how much: a payment that is told again does not count twice.
    const paid = await tx
      .update(creditTopUps)
      .set({ ownerDid: '', tokens: 0 })
      .where(eq(creditTopUps.ownerDid, did))
      .returning({ topUpId: creditTopUps.topUpId });
    const isGone = account !== undefined && open.length === 0 && !hasBalance;
    const kept: KeptRows[] = [
      { kind: 'claims', count: open.length, why: why.claims },
      { kind: 'accounts', count: hasBalance ? 1 : 0, why: why.accounts },
    ];
    return {
      deleted: {
        claims: settled.length + begun.length,
        holds: holds.length,
        accounts: isGone ? 1 : 0,
        'top-ups': paid.length,
      },
      kept: kept.filter(({ count }) => count !== 0),
    };
  });
}
