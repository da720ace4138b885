import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CreditLedger } from './credit-ledger.js';
import { longestRetryMs, retryMs } from './credit-records.js';

/** Contract of every adapter of the port. */
export function creditLedgerContract(name: string, open: () => CreditLedger): void {
  const at = new Date(1_000);
  const user = () => `did:key:${randomUUID()}`;
  const claimOf = (ownerDid: string, tokens: number) => ({ claimId: randomUUID(), ownerDid, tokens, openedAt: at });
  const holdOf = (ownerDid: string, tokens: number) => ({
    runId: randomUUID(),
    ownerDid,
    tokens,
    expiresAt: new Date(2_000),
  });
  const topUpOf = (ownerDid: string, tokens: number) => ({ topUpId: randomUUID(), ownerDid, tokens, at });

  describe(`${name} stores credits`, () => {
    it('separately per user, with their debts and open claims, oldest first', async () => {
      const ledger = open();
      const [asha, bo] = [user(), user()];
      const claims = [claimOf(asha, 30), claimOf(asha, 12)];
      for (const claim of claims) await ledger.open(claim);
      expect(await ledger.topUp(topUpOf(asha, 100))).toBe(100);
      expect(await ledger.accountOf(asha)).toEqual({
        balance: 100,
        owed: 42,
        held: 0,
        openClaims: claims.map(({ claimId }) => claimId),
      });
      expect(await ledger.accountOf(bo)).toEqual({ balance: 0, owed: 0, held: 0, openClaims: [] });
    });

    it('and reports the totals of debts and holds, and their start', async () => {
      const ledger = open();
      const before = await ledger.outstanding();
      const [asha, bo] = [user(), user()];
      const early = { ...claimOf(asha, 30), openedAt: new Date(7) };
      for (const claim of [claimOf(bo, 12), early, claimOf(bo, 0)]) await ledger.open(claim);
      await ledger.topUp(topUpOf(asha, 100));
      await ledger.reserve(holdOf(asha, 50), at);
      expect(await ledger.outstanding()).toEqual({
        owed: before.owed + 42,
        held: before.held + 50,
        oldestOpenedAt: new Date(7),
      });
      await ledger.pay(early.claimId, at);
      expect(await ledger.outstanding()).toMatchObject({ owed: before.owed + 12 });
    });

    it('once, for repeated top-ups and claims of one id', async () => {
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
      expect(await ledger.accountOf(asha)).toEqual({ balance: 70, owed: 0, held: 0, openClaims: [] });
    });

    it('and never takes more than the balance', async () => {
      const ledger = open();
      const [asha, bo] = [user(), user()];
      const [large, small, unpayable, toBegin] = [claimOf(asha, 80), claimOf(asha, 60), claimOf(bo, 1), claimOf(bo, 0)];
      for (const claim of [large, small, unpayable, toBegin]) await ledger.open(claim);
      await ledger.topUp(topUpOf(asha, 100));
      const payable = (await ledger.payableClaims(1_000)).filter(({ ownerDid }) => [asha, bo].includes(ownerDid));
      expect(payable).toEqual([large, small]);
      expect(await Promise.all([ledger.pay(large.claimId, at), ledger.pay(unpayable.claimId, at)])).toEqual([
        true,
        false,
      ]);
      expect([await ledger.pay(small.claimId, at), await ledger.pay(toBegin.claimId, at)]).toEqual([false, false]);
      expect(await ledger.accountOf(asha)).toEqual({
        balance: 20,
        owed: 60,
        held: 0,
        openClaims: [small.claimId],
      });
    });

    it('and reserves for concurrent requests until no tokens are available', async () => {
      const ledger = open();
      const asha = user();
      await ledger.topUp(topUpOf(asha, 250));
      const holds = Array.from({ length: 200 }, () => holdOf(asha, 100));
      const reserved = await Promise.all(holds.map(async (hold) => ((await ledger.reserve(hold, at)) ? [hold] : [])));
      const [first, second, third, ...more] = reserved.flat();
      if (first === undefined || second === undefined || third === undefined) throw new Error('fewer than three');
      expect(more).toEqual([]);
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 250, owed: 0, held: 300 });
      const claim = { ...claimOf(asha, 30), claimId: first.runId };
      // Concurrent reservations while a claim replaces its hold, repeatedly.
      await Promise.all([
        ledger.open(claim, { runId: first.runId }),
        ledger.open(claim, { runId: first.runId }),
        ...holds.slice(0, 20).map(() => ledger.reserve(holdOf(asha, 100), at)),
      ]);
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 250, owed: 30, held: 270 });
      expect([await ledger.heldFor(first.runId), await ledger.heldFor('of no run')]).toEqual([70, undefined]);
      await Promise.all([first, first, second].map(({ runId }) => ledger.release(runId)));
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 250, owed: 30, held: 100 });
      await ledger.open(claimOf(asha, 400), { runId: third.runId });
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 250, owed: 430, held: 0 });
      expect(await ledger.reserve(holdOf(asha, 1), at)).toBe(false);
      await ledger.topUp(topUpOf(asha, 200));
      await Promise.all([ledger.pay(claim.claimId, at), ledger.release(third.runId)]);
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 420, owed: 400, held: 0 });
      expect(await ledger.reserve(holdOf(asha, 1), at)).toBe(true);
    });

    it('and releases every hold at its expiry', async () => {
      const ledger = open();
      const asha = user();
      const later = new Date(2_000);
      await ledger.topUp(topUpOf(asha, 100));
      const [abandoned, waiting] = [holdOf(asha, 60), holdOf(asha, 60)];
      expect([await ledger.reserve(abandoned, at), await ledger.reserve(waiting, at)]).toEqual([true, true]);
      await ledger.open(claimOf(asha, 10), { runId: waiting.runId, until: new Date(3_000) });
      expect(await ledger.reserve(holdOf(asha, 5), at)).toBe(false);
      expect(await ledger.reserve({ ...holdOf(asha, 5), expiresAt: later }, later)).toBe(true);
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 100, owed: 10, held: 55 });
    });

    it('and deletes the rows of one user that the accounts do not need', async () => {
      const ledger = open();
      const [asha, bo] = [user(), user()];
      const [paid, due, toBegin] = [claimOf(asha, 30), claimOf(asha, 400), claimOf(asha, 0)];
      for (const ownerDid of [asha, bo]) await ledger.topUp(topUpOf(ownerDid, 100));
      for (const claim of [paid, due, toBegin]) await ledger.open(claim);
      await ledger.pay(paid.claimId, at);
      const others = claimOf(bo, 5);
      await ledger.open(others);
      await ledger.close([others.claimId], at);
      const kinds: string[] = [];
      for await (const { kind, row } of ledger.rowsOf(asha)) {
        kinds.push(kind);
        expect(JSON.stringify(row)).not.toContain('did:key');
      }
      expect(kinds.filter((kind) => kind !== 'top-ups')).toEqual(['accounts', 'claims', 'claims', 'claims']);
      const held = holdOf(bo, 1);
      await ledger.reserve(held, at);
      expect((await ledger.forget(asha)).deleted).toMatchObject({ claims: 2, holds: 0 });
      expect((await ledger.forget(asha)).deleted).toMatchObject({ claims: 0, holds: 0 });
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 70, owed: 400, openClaims: [due.claimId] });
      expect((await ledger.forget(bo)).deleted).toMatchObject({ claims: 1, holds: 1 });
      expect(await ledger.accountOf(bo)).toMatchObject({ balance: 95, held: 0 });
    });

    it('and mirrors an external balance, unless it has changed since', async () => {
      const ledger = open();
      const asha = user();
      expect([await ledger.mirror(asha, 100, 0), await ledger.mirror(asha, 70, 0)]).toEqual([true, false]);
      const claim = claimOf(asha, 30);
      await ledger.open(claim);
      expect(await ledger.reserve(holdOf(asha, 60), at)).toBe(true);
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 100, owed: 30, held: 60 });
      await ledger.close([claim.claimId], at);
      expect(await ledger.mirror(asha, 100, 100)).toBe(false);
      expect(await ledger.mirror(asha, 40, 70)).toBe(true);
      expect(await ledger.accountOf(asha)).toMatchObject({ balance: 40, owed: 0, held: 60 });
      expect(await ledger.reserve(holdOf(asha, 1), at)).toBe(false);
    });

    it('and hands each due claim to one caller, and repeats with growing intervals', async () => {
      const ledger = open();
      const claims = [claimOf(user(), 1), claimOf(user(), 2), claimOf(user(), 3)];
      const [first, second, third] = claims;
      if (first === undefined || second === undefined || third === undefined) throw new Error('no claims');
      for (const claim of claims) await ledger.open(claim);
      // Rows of other tests of this contract may exist: only this test's rows count.
      const take = async (at: number, takers = 1) => {
        const taken = await Promise.all(Array.from({ length: takers }, () => ledger.takeDue(1_000, new Date(at))));
        const ours = new Set<string>(claims.map(({ claimId }) => claimId));
        return taken
          .flat()
          .filter(({ claimId }) => ours.has(claimId))
          .sort((one, other) => one.tokens - other.tokens);
      };
      expect(await take(10_000, 3)).toEqual(claims.map((claim) => ({ ...claim, attempts: 0 })));
      expect(await take(10_000 + retryMs - 1)).toEqual([]);
      const closing = [second.claimId, randomUUID()];
      expect([await ledger.close(closing, at), await ledger.close(closing, at)]).toEqual([1, 0]);
      const again = [first, third].map((claim) => ({ ...claim, attempts: 1 }));
      expect(await take(10_000 + retryMs)).toEqual(again);
      expect(await take(10_000 + 3 * retryMs - 1)).toEqual([]);
      await ledger.hurry(new Date(10_000 + 3 * retryMs - 1));
      expect(await take(10_000 + 3 * retryMs - 1)).toHaveLength(2);
      let now = 10_000 + 3 * retryMs - 1;
      for (let tries = 0; tries < 40; tries++) {
        now += longestRetryMs;
        expect(await take(now)).toHaveLength(2);
      }
    });
  });
}
