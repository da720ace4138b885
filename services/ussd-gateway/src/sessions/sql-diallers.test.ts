import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { SqlAccountStore } from '../accounts/sql-account-store.js';
import { SqlIntentStore } from '../effects/sql-intent-store.js';
import { sqlDiallers } from './sql-diallers.js';

let serial = 0;
const anySubscriber = () => ({
  aggregator: 'canonical',
  phoneNumber: `+26097${String(++serial).padStart(7, '0')}`,
  serviceCode: '*384#',
});

onDatabases((name, database) => {
  describe(`who dials, by ${name}`, () => {
    const find = (...subscribers: Parameters<ReturnType<typeof sqlDiallers>>) =>
      sqlDiallers(database().db, 300_000)(...subscribers);
    const place = {
      flow: { id: 'default', version: 2 },
      nonce: 'n',
      position: { state: 'confirmPin', language: 'en', choices: {}, page: 0 },
      by: 'entry',
    };

    it('is nobody in particular without a choice or an effect', async () => {
      expect(await find(anySubscriber())).toEqual({ language: undefined, untold: undefined });
    });

    it('has the language they chose, and the latest effect that they were not told of', async () => {
      const subscriber = anySubscriber();
      const intents = new SqlIntentStore(database().db);
      await new SqlAccountStore(database().db).setLanguage(subscriber.phoneNumber, 'sw');
      for (const effect of ['first', 'second']) {
        const key = `${name} ${effect}`;
        const intent = { key, subscriber, effect, place, sealedInput: 's', inputDigest: 'd' };
        await intents.begin(intent, { leaseMs: 1000, tellMs: 1000 });
      }
      const outcome = { result: 'created', facts: { customerId: 'C00000001' } };
      await intents.settle(`${name} second`, outcome);
      expect(await find(subscriber)).toEqual({ language: 'sw', untold: { key: `${name} second`, place, outcome } });
      for (const other of [{ aggregator: 'nalo' }, { serviceCode: '*1#' }]) {
        expect(await find({ ...subscriber, ...other })).toEqual({ language: 'sw', untold: undefined });
      }
      await intents.told(`${name} second`);
      expect(await find(subscriber)).toMatchObject({ untold: { key: `${name} first`, outcome: undefined } });
    });

    it('is each of those who dial at the same time', async () => {
      const accounts = new SqlAccountStore(database().db);
      const subscribers = Array.from({ length: 40 }, anySubscriber);
      for (const [index, { phoneNumber }] of subscribers.entries()) {
        if (index % 2 === 0) await accounts.setLanguage(phoneNumber, 'fr');
      }
      const look = sqlDiallers(database().db, 300_000);
      const languages = await Promise.all(subscribers.map(async (one) => (await look(one)).language));
      expect(languages).toEqual(subscribers.map((_, index) => (index % 2 === 0 ? 'fr' : undefined)));
    });
  });
});
