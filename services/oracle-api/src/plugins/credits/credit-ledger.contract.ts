import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CreditLedger } from './credit-ledger.js';

/** What every adapter of the port guarantees. */
export function creditLedgerContract(name: string, open: () => CreditLedger): void {
  const at = new Date(1_000);
  const user = () => `did:key:${randomUUID()}`;
  const claimOf = (ownerDid: string, tokens: number) => ({ claimId: randomUUID(), ownerDid, tokens, openedAt: at });
  const topUpOf = (ownerDid: string, tokens: number) => ({ topUpId: randomUUID(), ownerDid, tokens, at });

  describe(`${name} keeps credits`, () => {
    it('of each user apart, with what they owe and the claims for it, oldest first', async () => {
      const ledger = open();
      const [asha, bo] = [user(), user()];
      const claims = [claimOf(asha, 30), claimOf(asha, 12)];
      for (const claim of claims) await ledger.open(claim);
      expect(await ledger.topUp(topUpOf(asha, 100))).toBe(100);
      expect(await ledger.accountOf(asha)).toEqual({
        balance: 100,
        owed: 42,
        openClaims: claims.map(({ claimId }) => claimId),
      });
      expect(await ledger.accountOf(bo)).toEqual({ balance: 0, owed: 0, openClaims: [] });
    });

    it('once, however often a top-up or a claim is told', async () => {
      const ledger = open();
      const asha = user();
      const [topUp, claim] = [topUpOf(asha, 100), claimOf(asha, 30)];
      await Promise.all([ledger.topUp(topUp), ledger.topUp(topUp), ledger.open(claim), ledger.open(claim)]);
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 100, owed: 30 });
      expect((await Promise.all([ledger.pay(claim.claimId, at), ledger.pay(claim.claimId, at)])).sort()).toEqual([
        false,
        true,
      ]);
      await ledger.open(claim);
      expect(await ledger.accountOf(asha)).toEqual({ balance: 70, owed: 0, openClaims: [] });
    });

    it('and takes no more than there is', async () => {
      const ledger = open();
      const [asha, bo] = [user(), user()];
      const [large, small, ofNobody, toBegin] = [claimOf(asha, 80), claimOf(asha, 60), claimOf(bo, 1), claimOf(bo, 0)];
      for (const claim of [large, small, ofNobody, toBegin]) await ledger.open(claim);
      await ledger.topUp(topUpOf(asha, 100));
      const payable = (await ledger.payableClaims(1_000)).filter(({ ownerDid }) => [asha, bo].includes(ownerDid));
      expect(payable).toEqual([large, small]);
      expect(await Promise.all([ledger.pay(large.claimId, at), ledger.pay(ofNobody.claimId, at)])).toEqual([
        true,
        false,
      ]);
      expect([await ledger.pay(small.claimId, at), await ledger.pay(toBegin.claimId, at)]).toEqual([false, false]);
      expect(await ledger.accountOf(asha)).toEqual({ balance: 20, owed: 60, openClaims: [small.claimId] });
    });

    it('and lists open claims page by page, until they are closed', async () => {
      const ledger = open();
      const claims = [claimOf(user(), 1), claimOf(user(), 2), claimOf(user(), 3)];
      const [first, second, third] = claims;
      for (const claim of claims) await ledger.open(claim);
      const idsOf = (listed: { claimId: string }[]) => listed.map(({ claimId }) => claimId);
      expect(await ledger.openClaims(1, first?.claimId)).toEqual([second]);
      expect(idsOf(await ledger.openClaims(1_000))).toEqual(expect.arrayContaining(idsOf(claims)));
      const closing = [String(second?.claimId), randomUUID()];
      expect([await ledger.close(closing, at), await ledger.close(closing, at)]).toEqual([1, 0]);
      expect(await ledger.openClaims(1_000, first?.claimId)).toEqual([third]);
    });
  });
}
