import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { within } from '@mlango/async/within';
import type { FastifyBaseLogger } from 'fastify';
import { embeddedPlace } from '../database/embedded/embedded-files.js';
import type { DatabaseConnection, Schema } from '../database/sql-database.js';
import { describeError } from '../logging/serialize-error.js';

interface DatabaseSettings {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly DATA_DIR: string;
}

const waitMs = 600_000;

/**
 * The command that copies the rows of the embedded database to the server in `DATABASE_URL`. The embedded database is not changed. Exit
 * code: 0 moved; 1 failed with the reason on standard error, and no row was moved.
 *
 * @param open opens the database of a configuration, with the migrations of this version
 */
export async function moveAndEnd<Config extends DatabaseSettings>(
  config: Config,
  open: (config: Config) => Promise<DatabaseConnection<Schema>>,
  logger: FastifyBaseLogger,
): Promise<void> {
  const opened: DatabaseConnection<Schema>[] = [];
  try {
    if (config.DATABASE_URL === undefined) throw new Error('DATABASE_URL has to name the server');
    // Opening it would create an empty database.
    if (!existsSync(embeddedPlace(config.DATA_DIR)))
      throw new Error(`there is no embedded database in DATA_DIR (${resolve(config.DATA_DIR)})`);
    const from = await open({ ...config, DATABASE_URL: undefined, DATABASE_DIRECT_URL: undefined });
    opened.push(from);
    const to = await open(config);
    opened.push(to);
    // Services without a database load this module too, but not drizzle.
    const { moveRows } = await import('../database/move-rows.js');
    const rows = await within(waitMs, 'moving the rows', moveRows(from, to));
    logger.info({ rows }, 'embedded database rows moved');
  } catch (error) {
    logger.fatal({ err: error }, 'moving embedded database rows failed');
    process.stderr.write(`The rows of the embedded database could not be moved: ${describeError(error)}\n`);
    process.exitCode = 1;
  } finally {
    await Promise.all(opened.map((database) => database.close()));
  }
}

type Migrating = Pick<DatabaseConnection<Schema>, 'migrated' | 'ping' | 'close'>;

/**
 * The command that migrates the database before replicas of a new version start. Exit code: 0 migrated; 1 not within `waitMs`, with
 * the reason on standard error.
 */
export async function migrateAndEnd(database: Migrating, logger: FastifyBaseLogger, waitMs = 120_000): Promise<void> {
  try {
    await within(waitMs, 'bringing the database up to date', database.migrated);
    logger.info('database is migrated to this version');
  } catch (error) {
    // The obstacle is more specific than the timeout.
    const reason = await database.ping().then(
      () => error,
      (obstacle: unknown) => obstacle,
    );
    logger.fatal({ err: reason }, 'database migration failed');
    process.stderr.write(`The database could not be brought up to date: ${describeError(reason)}\n`);
    process.exitCode = 1;
  } finally {
    await database.close();
  }
}
