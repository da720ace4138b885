import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Logger } from '../logging.js';
import { within } from '../within.js';
import { applyMigrations, readMigrations } from './apply-migrations.js';
import { migrateUntilDone } from './migrate-until-done.js';
import { describeTarget, openPool, type PostgresLimits } from './postgres-client.js';
import type { DatabaseConnection, Schema } from './sql-database.js';

export interface PostgresOptions<TSchema extends Schema> {
  readonly url: string;
  readonly schema: TSchema;
  readonly migrationsFolder: string;
  readonly logger: Logger;
  readonly applicationName?: string | undefined;
  readonly limits?: Partial<PostgresLimits> | undefined;
}

const DEFAULT_LIMITS: PostgresLimits = { maxConnections: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 15_000 };
const MIGRATION_LIMITS = { lockWaitMs: 10_000, statementMs: 10 * 60_000 };
const FIRST_ATTEMPT_LIMIT_MS = 5_000;
const PING_LIMIT_MS = 1_000;
const CLOSE_LIMIT_SECONDS = 4;

/**
 * Opens a pool and migrates. Resolves as soon as the migrations are applied or the first attempt failed, within five
 * seconds: with Postgres away the service starts all the same and this connection heals by itself.
 */
export async function openPostgres<TSchema extends Schema>(
  options: PostgresOptions<TSchema>,
): Promise<DatabaseConnection<TSchema>> {
  const { url, schema, logger, applicationName = 'mlango' } = options;
  const target = describeTarget(url);
  const migrations = readMigrations(options.migrationsFolder);
  const pool = openPool(url, applicationName, { ...DEFAULT_LIMITS, ...options.limits });
  const db = drizzle(pool, { schema });

  // Migrations may run for minutes: they get a connection with patience of its own.
  const migrationPool = openPool(url, `${applicationName} migrations`, {
    ...DEFAULT_LIMITS,
    ...options.limits,
    maxConnections: 1,
    statementTimeoutMs: MIGRATION_LIMITS.statementMs,
  });
  const migrationDb = drizzle(migrationPool, { schema });
  const log = logger.child({ database: target });
  const run = migrateUntilDone(() => applyMigrations(migrationDb, migrations, MIGRATION_LIMITS), log);
  run.done
    .then(
      () => migrationPool.end({ timeout: 1 }),
      () => migrationPool.end({ timeout: 0 }),
    )
    .catch(() => {});

  let closing: Promise<void> | undefined;
  let probe: Promise<unknown> | undefined;
  await within(FIRST_ATTEMPT_LIMIT_MS, 'the first migration attempt', run.firstAttempt).catch(() => {});
  return {
    db,
    kind: 'postgres',
    migrated: run.done,
    ping: async () => {
      if (closing !== undefined) throw new Error('the database connection is closed');
      run.assertDone();
      // Pings of a stuck pool share one query instead of queueing up.
      probe ??= db.execute(sql`select 1`).finally(() => {
        probe = undefined;
      });
      await within(PING_LIMIT_MS, 'the database ping', probe);
    },
    close: () => {
      run.stop();
      closing ??= pool.end({ timeout: CLOSE_LIMIT_SECONDS });
      return closing;
    },
  };
}
