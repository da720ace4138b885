import type { Logger } from '../logging.js';
import { errorCodeOf, isConnectionError } from './sql-errors.js';

const LOCK_NOT_AVAILABLE = '55P03';
const MAX_OUTAGE_DELAY_MS = 2_000;
const REPAIR_DELAY_MS = 15_000;

export interface MigrationRun {
  /** Resolves once applied; rejects when stopped before. */
  readonly done: Promise<void>;
  /** Settles, never rejecting, with the end of the first attempt. */
  readonly firstAttempt: Promise<void>;
  /** Throws what stands in the way, until the migrations are applied. */
  readonly assertDone: () => void;
  readonly stop: () => void;
}

/**
 * Tries `apply` until it works, so that a service may start before its database does. An outage or a busy lock is tried
 * again within seconds and logged once; a migration that fails for a reason of its own is logged as an error whenever
 * the reason changes and tried again at a slow pace, since only a person can repair it.
 */
export function migrateUntilDone(apply: () => Promise<number>, logger: Logger): MigrationRun {
  let obstacle: Error | undefined = new Error('the database migrations are not applied yet');
  let logged: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Nobody has to listen.
  done.catch(() => {});

  const explain = (error: unknown): number => {
    failures += 1;
    const code = errorCodeOf(error) ?? 'unknown';
    const isOutage = isConnectionError(error) || code === LOCK_NOT_AVAILABLE;
    const key = isOutage ? 'outage' : `${code} ${rootMessage(error)}`;
    const news = key !== logged;
    logged = key;
    if (isOutage) {
      obstacle = new Error(`the database migrations wait for the database (${code})`, { cause: error });
      if (news) logger.warn({ code }, 'database migrations wait: the database is away or busy; trying again');
      return Math.min(MAX_OUTAGE_DELAY_MS, 100 * 2 ** failures) * (0.5 + Math.random() / 2);
    }
    obstacle = new Error(`a database migration fails: ${rootMessage(error)}`, { cause: error });
    if (news) logger.error({ err: error, code }, `database migration failed: ${rootMessage(error)}`);
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
    assertDone: () => {
      if (obstacle !== undefined) throw obstacle;
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      settle?.reject(new Error('the database was closed before its migrations were applied'));
    },
  };
}

/** The text of the innermost cause: drizzle's own message repeats the whole statement with its values. */
function rootMessage(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? root.message : String(root);
}
