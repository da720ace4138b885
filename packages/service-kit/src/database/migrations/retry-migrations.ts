import { backoffMs } from '@mlango/async/retry';
import type postgres from 'postgres';
import { errorCodeOf, isConnectionError, isPoolerError, isRefused } from '../../errors/sql-errors.js';
import type { Logger } from '../../logging/index.js';

const LOCK_NOT_AVAILABLE = '55P03';
const CANNOT_CONNECT_NOW = '57P03';
const MAX_OUTAGE_DELAY_MS = 2_000;
// The retry interval of other replicas' statements: a longer one would never get the slot.
const MAX_REFUSED_DELAY_MS = 200;
const REPAIR_DELAY_MS = 15_000;

export interface MigrationRun {
  /** Resolves once applied; rejects when stopped before. */
  readonly done: Promise<void>;
  /** Settles, never rejecting, with the end of the first attempt. */
  readonly firstAttempt: Promise<void>;
  /** Why the migrations are not applied yet; undefined once they are. */
  readonly obstacle: () => Error | undefined;
  readonly stop: () => void;
}

/**
 * Retries `apply` until it succeeds, so that a service may start before its database. After an outage or a lock timeout it retries
 * within seconds and logs once; a failing migration is logged as an error when the reason changes, and retried slowly, since
 * only a person can repair it.
 */
export function retryMigrations(apply: () => Promise<number>, logger: Logger): MigrationRun {
  let obstacle: Error | undefined = new Error('the database migrations are not applied yet');
  let logged: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Avoids an unhandled rejection.
  done.catch(() => {});

  /** Logs a new failure reason, and returns the pause before the next attempt, in ms. */
  const explain = (error: unknown): number => {
    failures += 1;
    const code = errorCodeOf(error) ?? 'unknown';
    const state = stateBehind(error, code);
    const reason = state ?? rootMessage(error);
    const key = state ?? `${code} ${reason}`;
    const isNew = key !== logged;
    logged = key;
    if (state !== undefined) {
      obstacle = new Error(`the database migrations wait for the database (${code})`, { cause: error });
      if (isNew) logger.warn({ code }, `database migrations wait: the database ${state}, will retry`);
      const longestMs = state === FULL ? MAX_REFUSED_DELAY_MS : MAX_OUTAGE_DELAY_MS;
      return backoffMs(failures, { firstMs: 200, longestMs });
    }
    if (error instanceof PoolerInTheWayError) {
      obstacle = error;
      if (isNew) logger.error(reason);
      return REPAIR_DELAY_MS;
    }
    obstacle = new Error(`a database migration fails: ${reason}`, { cause: error });
    if (isNew) logger.error({ err: error, code }, `database migration failed: ${reason}`);
    return REPAIR_DELAY_MS;
  };

  const attempt = async (): Promise<void> => {
    try {
      const count = await apply();
      obstacle = undefined;
      if (count > 0 || logged !== undefined) logger.info({ count }, 'database migrations applied');
      settle?.resolve();
    } catch (error) {
      if (stopped) return;
      timer = setTimeout(() => void attempt(), explain(error));
    }
  };

  return {
    firstAttempt: attempt(),
    done,
    obstacle: () => obstacle,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      settle?.reject(new Error('the database was closed before its migrations were applied'));
    },
  };
}

const FULL = 'has no free connection slot';

/** State of the database, if the failure is temporary. */
function stateBehind(error: unknown, code: string): string | undefined {
  if (error instanceof PoolerInTheWayError) return undefined;
  if (isRefused(error) && code !== CANNOT_CONNECT_NOW) return FULL;
  return isConnectionError(error) || code === LOCK_NOT_AVAILABLE ? 'is unavailable or busy' : undefined;
}

/** The text of the innermost cause: drizzle's own message repeats the whole statement with its values. */
function rootMessage(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? root.message : String(root);
}

/** The address is a pooler where a session is needed, or one of another database. Retrying does not help. */
export class PoolerInTheWayError extends Error {
  override readonly name = 'PoolerInTheWayError';
}

const SETTING = 'statement_timeout';

/**
 * Asserts that session settings hold on this connection: a pooler refuses them, or drops them silently.
 *
 * @param variable the setting that has the address
 * @throws {PoolerInTheWayError} Rejects with the driver's error if the server is unavailable.
 */
export async function assertSession(sql: postgres.Sql, statementTimeoutMs: number, variable: string): Promise<void> {
  const rows = await sql.unsafe(`select setting from pg_settings where name = '${SETTING}'`).catch((error: unknown) => {
    throw isPoolerError(error) ? poolerError(variable, error) : error;
  });
  if (rows[0]?.['setting'] !== String(statementTimeoutMs)) throw poolerError(variable);
}

const DATABASE = 'select current_database() as name';

/**
 * Asserts that a pooler and the address of the server behind it lead to one database: migrations of another one would go unnoticed.
 *
 * @throws {PoolerInTheWayError} naming both databases. Rejects with the driver's error if one is unavailable.
 */
export async function assertSameDatabase(direct: postgres.Sql, pooled: postgres.Sql): Promise<void> {
  const [[server], [pooler]] = await Promise.all([direct.unsafe(DATABASE), pooled.unsafe(DATABASE)]);
  if (server?.['name'] === pooler?.['name']) return;
  const both = `DATABASE_URL leads to the database ${pooler?.['name']}, DATABASE_DIRECT_URL to ${server?.['name']}`;
  throw new PoolerInTheWayError(`${both}: both must lead to the same one`);
}

function poolerError(variable: string, cause?: unknown): PoolerInTheWayError {
  const cure = 'DATABASE_DIRECT_URL must name the server behind it, and DATABASE_URL may then name the pooler';
  return new PoolerInTheWayError(`${variable} names a pooler, which loses the settings of a session: ${cure}`, {
    cause,
  });
}
