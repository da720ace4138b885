import { type DatabaseConnection, openDatabase, type SqlDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { sql } from 'drizzle-orm';
import * as accountTables from '../../src/accounts/schema.js';
import * as analyticsTables from '../../src/analytics/schema.js';
import { migrationsFolder } from '../../src/deps/open-accounts.js';
import * as effectTables from '../../src/effects/schema.js';
import * as identityTables from '../../src/phone-identity/schema.js';

export const schema = { ...accountTables, ...effectTables, ...identityTables, ...analyticsTables };
export type Database = DatabaseConnection<typeof schema>;

let opening: Promise<Database> | undefined;

/**
 * The embedded database of this test worker. It takes half a second to open, so all test files of a worker share it,
 * and it stays open. Its clock is `Date.now`: fake timers move its time too.
 */
export function embeddedDatabase(): Promise<Database> {
  const logger = createLogger({ service: 'test', level: 'silent' });
  opening ??= openDatabase({ dataDir: 'memory://', schema, migrationsFolder, logger });
  return opening;
}

/** The embedded database of this test worker, without rows. Open it before timers are faked. */
export async function emptyDatabase(): Promise<SqlDatabase<typeof schema>> {
  const { db } = await embeddedDatabase();
  await db.execute(deleteRows);
  return db;
}

/** Deletes in any order, without the checks of foreign keys. */
const deleteRows = sql`do $$
declare
  name text;
begin
  perform set_config('session_replication_role', 'replica', true);
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('delete from %I', name);
  end loop;
end $$`;
