import { describe, expect, it, vi } from 'vitest';
import { openTestStores } from '../../../test/stores.fixture.js';
import { creditFigures } from './credit-figures.js';
import type { CreditLedger } from './credit-ledger.js';

describe('the metrics of credits', () => {
  it('are debts, holds and the age of the oldest open claim', async () => {
    const own = (await openTestStores()).openTables('credits') as CreditLedger;
    const looks = vi.spyOn(own, 'outstanding');
    const figures = creditFigures({ own, now: () => new Date(9_000) });
    const read = async () =>
      Object.fromEntries(await Promise.all(figures.map(async (each) => [each.name, await each.read()])));
    expect(await read()).toEqual({ tokens: { owed: 0, held: 0 }, oldest_claim_seconds: { owed: 0 } });
    const ownerDid = 'did:key:asha';
    await own.topUp({ topUpId: 't', ownerDid, tokens: 100, at: new Date(0) });
    await own.open({ claimId: 'c', ownerDid, tokens: 30, openedAt: new Date(2_000) });
    await own.reserve({ runId: 'r', ownerDid, tokens: 50, expiresAt: new Date(99_000) }, new Date(3_000));
    expect(await read()).toEqual({ tokens: { owed: 30, held: 50 }, oldest_claim_seconds: { owed: 7 } });
    // One query for both metrics at each scrape.
    expect(looks).toHaveBeenCalledTimes(2);
  });
});
