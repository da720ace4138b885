import { within } from '@mlango/async/within';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { describeTarget } from '../../env/postgres-url.js';
import { errorCodeOf, isConnectionError, isRefused } from '../../errors/sql-errors.js';
import type { Logger } from '../../logging/index.js';
import type { PostgresOptions } from '../database-options.js';
import { applyMigrations, readMigrations } from '../migrations/apply-migrations.js';
import type { TableRole } from '../migrations/own-tables.js';
import {
  assertSameDatabase,
  assertSession,
  PoolerInTheWayError,
  retryMigrations,
} from '../migrations/retry-migrations.js';
import type { DatabaseConnection, Schema } from '../sql-database.js';
import { openPool, type PostgresLimits, usesTls } from './postgres-client.js';
import { openReplica } from './replica.js';
import { RetryingClient } from './retrying-client.js';

const DEFAULT_LIMITS: PostgresLimits = {
  maxConnections: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 15_000,
  slotWaitMs: 5_000,
};
const MIGRATION_LIMITS = { lockWaitMs: 10_000, statementMs: 10 * 60_000 };
const FIRST_ATTEMPT_LIMIT_MS = 5_000;
const PING_LIMIT_MS = 1_000;
const BRIEF_STATEMENT_MS = 1_000;
const CLOSE_LIMIT_SECONDS = 4;
const OWNED_CONNECTIONS = 2;

/**
 * Opens a pool and migrates. Resolves once the migrations are applied or the first attempt failed, within five seconds: a service
 * starts while Postgres is unavailable, and reconnects. While it migrates it holds one more connection than the pool's maximum.
 *
 * @throws {PoolerInTheWayError} for a pooler where a session is needed, or of another database, if the server is available.
 */
export async function openPostgres<TSchema extends Schema>(
  options: PostgresOptions<TSchema>,
): Promise<DatabaseConnection<TSchema>> {
  const { url, directUrl = url, ca, schema, logger, applicationName = 'mlango' } = options;
  const pooled = options.directUrl !== undefined;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const migrations = readMigrations(options.migrationsFolder);
  const target = describeTarget(url);
  const log = logger.child({ database: describeTarget(directUrl) });

  // Migrations may run for minutes: they have a connection with longer timeouts.
  const statementTimeoutMs = MIGRATION_LIMITS.statementMs;
  const migrationPool = openPool({ url: directUrl, ca }, `${applicationName} migrations`, {
    ...limits,
    maxConnections: 1,
    statementTimeoutMs,
  });
  const migrationDb = drizzle(migrationPool, { schema });
  const migrate = async () => {
    await assertSession(migrationPool, statementTimeoutMs, pooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
    if (pooled) {
      // Ended at once: the pooler may accept few clients.
      const check = openPool({ url, ca }, `${applicationName} check`, { ...limits, maxConnections: 1 }, { pooled });
      try {
        await assertSameDatabase(migrationPool, check);
      } finally {
        await check.end({ timeout: 1 });
      }
    }
    const count = await applyMigrations(migrationDb, migrations, MIGRATION_LIMITS, options.ownedTables);
    for (const part of owned.values()) await part.pool.unsafe('select 1');
    return count;
  };
  const run = retryMigrations(migrate, log);
  run.done
    .then(
      () => migrationPool.end({ timeout: 1 }),
      () => migrationPool.end({ timeout: 0 }),
    )
    .catch(() => {});

  const isPrepared = !pooled && options.prepare === true;
  // While migrations wait for a connection, statements take none: they would fail, and could hold the last slot.
  const obstacle = () => (isConnectionError(run.obstacle()) ? run.obstacle() : undefined);
  const open = (name: string, maxConnections: number, login?: TableRole) => {
    const pool = openPool({ url, ca, login }, name, { ...limits, maxConnections }, { pooled, isPrepared });
    const load = { maxConnections, underWay: 0, begun: 0, seconds: 0, refusals: 0 };
    const patience = { ...limits, pooled, isPrepared, obstacle, load };
    const client = new RetryingClient(pool, patience);
    return { pool, load, patience, db: dbOf(client, schema) };
  };
  const { pool, load, patience, db } = open(applicationName, limits.maxConnections);
  const aside = open(`${applicationName} aside`, 1);
  const owned = new Map(
    (options.ownedTables ?? []).flatMap(({ owner, role }) =>
      role === undefined ? [] : [[owner, open(`${applicationName} ${owner}`, OWNED_CONNECTIONS, role)] as const],
    ),
  );
  const pools = [pool, aside.pool, ...Array.from(owned.values(), (part) => part.pool)];
  // Not prepared: the best plan of a stale read depends on its values.
  const reads = new RetryingClient(pool, { ...patience, isPrepared: false });
  // Sends its settings with each statement, as behind a pooler.
  const briefLimits = { pooled: true, isPrepared: false, statementTimeoutMs: BRIEF_STATEMENT_MS };
  const brief = new RetryingClient(pool, { ...patience, ...briefLimits });
  const replica =
    options.replica &&
    openReplica(options.replica, {
      ca,
      schema,
      logger,
      limits,
      applicationName,
      briefStatementMs: BRIEF_STATEMENT_MS,
      primary: { client: reads, brief, aside: aside.pool },
    });

  const connection = connectionLog(logger.child({ database: target, tls: usesTls(pool), pooler: pooled }));
  run.done.then(connection.answered, () => {});
  const pingPool = async (): Promise<unknown> => db.execute(sql`select 1`);
  /** Pings on a separate connection while the pool is busy, or on the pool if the server has no free slot. */
  const pingAside = (): Promise<unknown> =>
    aside.pool.unsafe('select 1').catch((error: unknown) => {
      if (!isRefused(error)) throw error;
      return pingPool();
    });
  let closing: Promise<unknown> | undefined;
  let probe: Promise<unknown> | undefined;
  await within(FIRST_ATTEMPT_LIMIT_MS, 'the first migration attempt', run.firstAttempt).catch(() => {});
  const first = run.obstacle();
  if (first instanceof PoolerInTheWayError) {
    run.stop();
    await Promise.all([...pools.map((each) => each.end({ timeout: 0 })), replica?.close(0)]);
    throw first;
  }
  return {
    db,
    aside: aside.db,
    stale: replica?.db ?? dbOf(reads, schema),
    brief: replica?.brief ?? dbOf(brief, schema),
    briefPrimary: dbOf(brief, schema),
    ownedBy: (owner) => owned.get(owner)?.db ?? db,
    kind: 'postgres',
    load,
    ...(replica === undefined ? {} : { replica: replica.state }),
    migrated: run.done,
    ping: async () => {
      if (closing !== undefined) throw new Error('the database connection is closed');
      const inTheWay = run.obstacle();
      if (inTheWay !== undefined) throw inTheWay;
      // Concurrent pings share one query.
      probe ??= (load.underWay >= load.maxConnections ? pingAside() : pingPool()).finally(() => {
        probe = undefined;
      });
      await within(PING_LIMIT_MS, 'the database ping', probe).then(connection.answered, (error: unknown) => {
        connection.failed(error);
        throw error;
      });
    },
    close: async () => {
      run.stop();
      const ends = pools.map((each) => each.end({ timeout: CLOSE_LIMIT_SECONDS }));
      closing ??= Promise.all([...ends, replica?.close(CLOSE_LIMIT_SECONDS)]);
      await closing;
    },
  };
}

/** RetryingClient implements the part of the client that drizzle uses. */
function dbOf<TSchema extends Schema>(client: RetryingClient, schema: TSchema) {
  return drizzle(client as unknown as postgres.Sql, { schema });
}

export interface ConnectionLog {
  readonly answered: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Logs the first connection, and the beginning and the end of an outage. Logs only the code of an error: drizzle's text repeats the
 * statement with its values. Failures before the first connection are logged by the migrations.
 *
 * @param logger has the address of the database as a field
 */
function connectionLog(logger: Logger): ConnectionLog {
  let state: 'unknown' | 'connected' | 'down' = 'unknown';
  return {
    answered: () => {
      if (state !== 'connected')
        logger.info(state === 'down' ? 'Postgres is available again' : 'Postgres is connected');
      state = 'connected';
    },
    failed: (error) => {
      if (state !== 'connected') return;
      logger.warn({ reason: errorCodeOf(error) ?? 'no answer' }, 'Postgres is unavailable, reconnecting');
      state = 'down';
    },
  };
}
