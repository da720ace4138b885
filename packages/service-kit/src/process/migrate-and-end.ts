import type { FastifyBaseLogger } from 'fastify';
import type { DatabaseConnection, Schema } from '../database/sql-database.js';
import { describeError } from '../logging/serialize-error.js';
import { within } from '../within.js';

type Migrating = Pick<DatabaseConnection<Schema>, 'migrated' | 'ping' | 'close'>;

/**
 * The whole of a process that brings a database up to date and ends, before replicas of a new version start. Says on
 * standard error why it could not. Exit code: 0 applied, or nothing to apply; 1 not within `waitMs`.
 */
export async function migrateAndEnd(database: Migrating, logger: FastifyBaseLogger, waitMs = 120_000): Promise<void> {
  try {
    await within(waitMs, 'bringing the database up to date', database.migrated);
    logger.info('the database has the migrations of this version');
  } catch (error) {
    // What stands in the way says more than that it took long.
    const reason = await database.ping().then(
      () => error,
      (obstacle: unknown) => obstacle,
    );
    logger.fatal({ err: reason }, 'the database could not be brought up to date');
    process.stderr.write(`The database could not be brought up to date: ${describeError(reason)}\n`);
    process.exitCode = 1;
  } finally {
    await database.close();
  }
}
