import { tmpdir } from 'node:os';
import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationsFolder } from '../accounts/migrations-folder.js';
import * as accountTables from '../accounts/schema.js';
import { SqlAccountStore } from '../accounts/sql-account-store.js';
import * as effectTables from '../effects/schema.js';
import { SqlIntentStore } from '../effects/sql-intent-store.js';
import { sqlDiallers } from './sql-diallers.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const schema = { ...accountTables, ...effectTables };
type Database = DatabaseConnection<typeof schema>;

let serial = 0;
const anySubscriber = () => ({
  aggregator: 'canonical',
  phoneNumber: `+26097${String(++serial).padStart(7, '0')}`,
  serviceCode: '*384#',
});

function suite(name: string, database: () => Database): void {
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
}

describe('embedded', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ dataDir: 'memory://', schema, migrationsFolder, logger });
  }, 30_000);
  afterAll(() => database.close());
  suite('PGlite', () => database);
});

describe.skipIf(postgresUrl === undefined)('real', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase();
    database = await openDatabase({
      url: fresh.url,
      dataDir: tmpdir(),
      schema,
      migrationsFolder,
      logger,
      prepare: true,
    });
    await database.migrated;
  }, 30_000);
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });
  suite('Postgres', () => database);
});
