import { tmpdir } from 'node:os';
import { type DatabaseConnection, openDatabase, type SqlDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { runsIntegration } from '@mlango/test-services/required';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStores } from '../../../test/stores.fixture.js';
import { migrationsFolder } from '../../store/database.js';
import type { PluginTables } from './plugin-storage.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/**
 * Runs a contract for the store of a bundled plugin's tables: on the embedded database, and in integration tests on Postgres.
 */
export function onDatabases<Own>(
  tables: PluginTables<Own>,
  contract: (name: string, own: () => Own, db: () => SqlDatabase<Record<string, unknown>>) => void,
): void {
  const ownedTables = [{ owner: 'plugin', refersTo: ['sessions'], names: tables.names, migrations: tables.migrations }];
  const openAt = (at: { url?: string; dataDir: string }) =>
    openDatabase<Record<string, unknown>>({ ...at, schema: {}, migrationsFolder, ownedTables, logger });

  if (!runsIntegration) {
    describe('embedded', () => {
      let embedded: SqlDatabase<Record<string, unknown>>;
      beforeAll(async () => {
        embedded = (await openTestStores()).db as unknown as typeof embedded;
      });
      const db = () => embedded;
      contract('PGlite', () => tables.open(db()), db);
    });
    return;
  }

  describe.skipIf(postgresUrl === undefined)('real', () => {
    let fresh: Awaited<ReturnType<typeof freshDatabase>>;
    let database: DatabaseConnection<Record<string, unknown>>;
    const at = () => ({ url: fresh.url, dataDir: tmpdir() });
    beforeAll(async () => {
      fresh = await freshDatabase();
      database = await openAt(at());
    });
    afterAll(async () => {
      await database.close();
      await fresh.drop();
    });
    const db = () => database.db;
    contract('Postgres', () => tables.open(db()), db);

    it("adopts tables of a database that is older than the plugin's migrations", async () => {
      // State of an old database: the tables exist, the record of their owners does not.
      await database.db.execute(sql`drop table drizzle.__owned_migrations`);
      const sizes = sql`select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`;
      const before = await database.db.execute(sizes);
      await database.close();
      database = await openAt(at());
      await database.migrated;
      expect(await database.db.execute(sizes)).toEqual(before);
    });
  });
}
