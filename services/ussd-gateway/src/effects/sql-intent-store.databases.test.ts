import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { intentStoreContract } from './intent-store.contract.js';
import { passOnIntents } from './pass-on.fixture.js';
import { effectIntents, effectsDone } from './schema.js';
import { SqlIntentStore } from './sql-intent-store.js';
import { once } from './sql-once.js';

onDatabases((name, database) => {
  intentStoreContract(name, () => ({ store: new SqlIntentStore(database().db), pass: passOnIntents(database()) }));

  it(`records contradictions of an outcome on ${name}, each once and at most ten`, async () => {
    const store = new SqlIntentStore(database().db);
    const subscriber = { aggregator: 'canonical', phoneNumber: '+260970000000', serviceCode: '*384#' };
    const position = { state: 'amount', language: 'en', choices: {}, page: 0 };
    const place = { flow: { id: 'default', version: 2 }, nonce: 'n', position, by: 'entry' };
    const key = `${name} contradicted`;
    const intent = { key, subscriber, effect: key, place, sealedInput: 's', inputDigest: 'd' };
    await store.begin(intent, { leaseMs: 1000, tellMs: 1000 });
    const kept = { result: 'paid', facts: { reference: 'R-1' } };
    for (const same of [kept, kept]) expect(await store.settle(key, same)).toEqual(kept);
    const noted = async () =>
      (await database().db.select().from(effectIntents).where(eq(effectIntents.key, key)))[0]?.contradictions;
    const lesser = [{ result: 'paid', facts: { reference: '-' } }, { result: 'paid' }, { result: 'unanswered' }];
    for (const one of lesser) expect(await store.settle(key, one)).toEqual(kept);
    expect(await noted()).toBeNull();
    const another = { result: 'paid', facts: { reference: 'R-2' } };
    expect(await store.settle(key, another)).toEqual(kept);
    expect(await noted()).toEqual([another]);
    for (const _ of [1, 2]) expect(await store.settle(key, { result: 'refused' })).toEqual(kept);
    expect(await noted()).toEqual([another, { result: 'refused' }]);
    for (let n = 0; n < 20; n++) await store.settle(key, { result: `other-${n}` });
    expect(await noted()).toHaveLength(10);
  });

  describe(`once on ${name}`, () => {
    const done = async (key: string) => {
      return database().db.select({ key: effectsDone.key }).from(effectsDone).where(eq(effectsDone.key, key));
    };

    it('does the work of a key once, also for twenty concurrent calls, and returns its outcome to all', async () => {
      let runs = 0;
      const pay = () =>
        once(database().db, `${name} pays`, async () => {
          runs += 1;
          await new Promise((resolve) => setImmediate(resolve));
          return { result: 'paid', facts: { reference: `R-${runs}` } };
        });
      const all = await Promise.all(Array.from({ length: 20 }, pay));
      expect(runs).toBe(1);
      expect(new Set(all.map(({ facts }) => facts?.['reference']))).toEqual(new Set(['R-1']));
    });

    it('has changed nothing after failed work, and allows a retry', async () => {
      const key = `${name} fails`;
      const fail = once(database().db, key, async () => Promise.reject(new Error('no')));
      await expect(fail).rejects.toThrow('no');
      expect(await done(key)).toEqual([]);
      expect(await once(database().db, key, async () => ({ result: 'paid' }))).toEqual({ result: 'paid' });
    });
  });
});
