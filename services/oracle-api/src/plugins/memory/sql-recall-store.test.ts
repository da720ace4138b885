import { tmpdir } from 'node:os';
import { type DatabaseConnection, openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-services';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationsFolder } from '../../store/migrations-folder.js';
import { migrations } from './migrations.js';
import { recallStoreContract } from './recall-store.contract.js';
import { SqlRecallStore } from './sql-recall-store.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const owned = migrations.map((migration) => ({ owner: 'plugin memory', ...migration }));
type Database = DatabaseConnection<Record<string, unknown>>;
const openAt = (at: { url?: string; dataDir: string }, ownedMigrations = owned): Promise<Database> =>
  openDatabase({ ...at, schema: {}, migrationsFolder, ownedMigrations, logger });

describe('embedded', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openAt({ dataDir: 'memory://' });
  });
  afterAll(() => database.close());
  recallStoreContract('PGlite', () => new SqlRecallStore(database.db));
});

describe.skipIf(postgresUrl === undefined)('real', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase();
    database = await openAt({ url: fresh.url, dataDir: tmpdir() });
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });
  recallStoreContract('Postgres', () => new SqlRecallStore(database.db));

  it("takes over the table of a database that is older than the plugin's own migrations, with what is in it", async () => {
    const older = await freshDatabase();
    const at = { url: older.url, dataDir: tmpdir() };
    const before = await openAt(at);
    const memory = { memoryId: 'm', kind: 'fact', content: 'my goat is called Zuri', createdAt: new Date(0) } as const;
    await new SqlRecallStore(before.db).add('did:key:a', memory);
    // As it was: the table is there, and nobody wrote down whose it is.
    await before.db.execute(sql`drop table drizzle.__owned_migrations`);
    await before.close();
    const after = await openAt(at);
    expect(await new SqlRecallStore(after.db).search('did:key:a', 'goat', 1)).toEqual([memory]);
    await after.close();
    await older.drop();
  });
});
