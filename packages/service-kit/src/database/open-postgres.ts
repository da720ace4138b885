import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Logger } from '../logging.js';
import { within } from '../within.js';
import { applyMigrations, type OwnedMigration, readMigrations } from './apply-migrations.js';
import { assertSession, PoolerInTheWayError } from './assert-session.js';
import { connectionLog } from './connection-log.js';
import { migrateUntilDone } from './migrate-until-done.js';
import { PatientClient } from './patient-client.js';
import { describeTarget, openPool, type PostgresLimits, usesTls } from './postgres-client.js';
import type { DatabaseConnection, Schema } from './sql-database.js';
import { isConnectionError } from './sql-errors.js';

export interface PostgresOptions<TSchema extends Schema> {
  readonly url: string;
  /** The server itself, where `url` names a pooler in transaction mode before it: migrations go there. */
  readonly directUrl?: string | undefined;
  readonly schema: TSchema;
  readonly migrationsFolder: string;
  readonly ownedMigrations?: readonly OwnedMigration[] | undefined;
  readonly logger: Logger;
  readonly applicationName?: string | undefined;
  readonly limits?: Partial<PostgresLimits> | undefined;
  readonly prepare?: boolean | undefined;
}

const DEFAULT_LIMITS: PostgresLimits = {
  maxConnections: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 15_000,
  slotWaitMs: 5_000,
};
const MIGRATION_LIMITS = { lockWaitMs: 10_000, statementMs: 10 * 60_000 };
const FIRST_ATTEMPT_LIMIT_MS = 5_000;
const PING_LIMIT_MS = 1_000;
const CLOSE_LIMIT_SECONDS = 4;

/**
 * Opens a pool and migrates. Resolves as soon as the migrations are applied or the first attempt failed, within five
 * seconds: with Postgres away the service starts all the same and this connection heals by itself. While it migrates it
 * holds one connection more than the pool may.
 *
 * @throws {PoolerInTheWayError} for a pooler where a session is needed, if the server is there to show it.
 */
export async function openPostgres<TSchema extends Schema>(
  options: PostgresOptions<TSchema>,
): Promise<DatabaseConnection<TSchema>> {
  const { url, directUrl = url, schema, logger, applicationName = 'mlango' } = options;
  const pooled = options.directUrl !== undefined;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const migrations = readMigrations(options.migrationsFolder);
  const target = describeTarget(url);
  const log = logger.child({ database: describeTarget(directUrl) });

  // Migrations may run for minutes: they get a connection with patience of its own.
  const statementTimeoutMs = MIGRATION_LIMITS.statementMs;
  const migrationPool = openPool(directUrl, `${applicationName} migrations`, {
    ...limits,
    maxConnections: 1,
    statementTimeoutMs,
  });
  const migrationDb = drizzle(migrationPool, { schema });
  const migrate = async () => {
    await assertSession(migrationPool, statementTimeoutMs, pooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
    return applyMigrations(migrationDb, migrations, MIGRATION_LIMITS, options.ownedMigrations);
  };
  const run = migrateUntilDone(migrate, log);
  run.done
    .then(
      () => migrationPool.end({ timeout: 1 }),
      () => migrationPool.end({ timeout: 0 }),
    )
    .catch(() => {});

  const prepared = options.prepare === true && !pooled;
  // While migrations wait for a connection, statements take none: they would fail, and could keep the last one for ever.
  const obstacle = () => (isConnectionError(run.obstacle()) ? run.obstacle() : undefined);
  const open = (name: string, maxConnections: number) => {
    const pool = openPool(url, name, { ...limits, maxConnections }, { pooled, prepare: prepared });
    const load = { maxConnections, underWay: 0, begun: 0, seconds: 0, refusals: 0 };
    const client = new PatientClient(pool, { ...limits, pooled, prepared, obstacle, load });
    // All of a client that drizzle touches is there.
    return { pool, load, db: drizzle(client as unknown as typeof pool, { schema }) };
  };
  const { pool, load, db } = open(applicationName, limits.maxConnections);
  const aside = open(`${applicationName} aside`, 1);

  const said = connectionLog(logger.child({ database: target, tls: usesTls(pool), pooler: pooled }));
  run.done.then(said.answered, () => {});
  let closing: Promise<unknown> | undefined;
  let probe: Promise<unknown> | undefined;
  await within(FIRST_ATTEMPT_LIMIT_MS, 'the first migration attempt', run.firstAttempt).catch(() => {});
  const first = run.obstacle();
  if (first instanceof PoolerInTheWayError) {
    run.stop();
    await Promise.all([pool.end({ timeout: 0 }), aside.pool.end({ timeout: 0 })]);
    throw first;
  }
  return {
    db,
    aside: aside.db,
    kind: 'postgres',
    load,
    migrated: run.done,
    ping: async () => {
      if (closing !== undefined) throw new Error('the database connection is closed');
      const inTheWay = run.obstacle();
      if (inTheWay !== undefined) throw inTheWay;
      // Pings of a stuck pool share one query instead of queueing up.
      probe ??= db.execute(sql`select 1`).finally(() => {
        probe = undefined;
      });
      await within(PING_LIMIT_MS, 'the database ping', probe).then(said.answered, (error: unknown) => {
        said.failed(error);
        throw error;
      });
    },
    close: async () => {
      run.stop();
      closing ??= Promise.all([pool, aside.pool].map((each) => each.end({ timeout: CLOSE_LIMIT_SECONDS })));
      await closing;
    },
  };
}
