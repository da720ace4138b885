import { tmpdir } from 'node:os';
import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { runsIntegration } from '@mlango/test-services/required';
import { canStartPgBouncer, type RealServer, startPgBouncer } from '@mlango/test-services/servers';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { CountStore } from '../../src/analytics/count-store.js';
import * as analyticsTables from '../../src/analytics/schema.js';
import { migrationsFolder } from '../../src/deps/open-accounts.js';
import { type Database, embeddedDatabase, emptyDatabase, schema } from './embedded-database.js';

const logger = createLogger({ service: 'test', level: 'silent' });

type Suite = (name: string, database: () => Database) => void;

/** Runs a suite on the embedded database; as an integration test on a Postgres server, directly and behind PgBouncer. */
export function onDatabases(suite: Suite): void {
  if (runsIntegration) onServers(suite);
  else onEmbedded(suite);
}

function onEmbedded(suite: Suite): void {
  describe('embedded', () => {
    let database: Database;
    beforeAll(async () => {
      await emptyDatabase();
      database = await embeddedDatabase();
    });
    suite('PGlite', () => database);
  });
}

/** The counts of screens on the embedded database, emptied before each test. */
export function embeddedCounts(): () => CountStore {
  let database: Database;
  beforeAll(async () => {
    database = await embeddedDatabase();
  });
  beforeEach(async () => {
    await database.db.delete(analyticsTables.screenCounts);
  });
  return () => new CountStore(database.db);
}

function onServers(suite: Suite): void {
  for (const isPooled of [false, true]) {
    const isPossible = postgresUrl !== undefined && (!isPooled || canStartPgBouncer);
    describe.skipIf(!isPossible)(isPooled ? 'pooled' : 'real', () => {
      let fresh: Awaited<ReturnType<typeof freshDatabase>>;
      let pooler: RealServer | undefined;
      let database: Database;
      beforeAll(async () => {
        fresh = await freshDatabase();
        pooler = isPooled ? await startPgBouncer({ upstream: fresh.url }) : undefined;
        const at = {
          url: pooler?.url ?? fresh.url,
          directUrl: pooler && fresh.url,
          dataDir: tmpdir(),
          prepare: true,
        };
        database = await openDatabase({ ...at, schema, migrationsFolder, logger });
        await database.migrated;
      });
      afterAll(async () => {
        await database.close();
        await pooler?.remove();
        await fresh.drop();
      });
      suite(isPooled ? 'Postgres behind PgBouncer' : 'Postgres', () => database);
    });
  }
}
