import { tmpdir } from 'node:os';
import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe } from 'vitest';
import { accountStoreContract } from './account-store.contract.js';
import { migrationsFolder } from './migrations-folder.js';
import * as schema from './schema.js';
import { SqlAccountStore } from './sql-account-store.js';

const logger = createLogger({ service: 'test', level: 'silent' });
type Database = DatabaseConnection<typeof schema>;

/** The clock is the database's: for time to pass, what happened is moved into the past. */
const passOn = (database: Database) => async (ms: number) => {
  const by = sql.raw(`interval '${ms} milliseconds'`);
  await database.db.execute(
    sql`update lockouts set locked_until = locked_until - ${by}, last_wrong_at = last_wrong_at - ${by}`,
  );
  await database.db.execute(sql`update pin_attempts set at = at - ${by}`);
  await database.db.execute(sql`update customers set created_at = created_at - ${by}, code_until = code_until - ${by}`);
};

describe('embedded', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ dataDir: 'memory://', schema, migrationsFolder, logger });
  }, 30_000);
  afterAll(() => database.close());
  accountStoreContract('PGlite', () => ({ store: new SqlAccountStore(database.db), pass: passOn(database) }));
});

describe.skipIf(postgresUrl === undefined)('real', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase();
    database = await openDatabase({ url: fresh.url, dataDir: tmpdir(), schema, migrationsFolder, logger });
    await database.migrated;
  }, 30_000);
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });
  accountStoreContract('Postgres', () => ({ store: new SqlAccountStore(database.db), pass: passOn(database) }));
});
