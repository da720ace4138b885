import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { within } from '../async/within.js';
import { embeddedPlace } from '../database/embedded-files.js';
import type { DatabaseConnection, Schema } from '../database/sql-database.js';
import { describeError } from '../logging/serialize-error.js';

interface Places {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly DATA_DIR: string;
}

const waitMs = 600_000;

/**
 * The whole of a process that moves what the embedded database of a service keeps to the server that `DATABASE_URL` names, and ends. The
 * embedded one stays as it is. Says on standard error why it could not, in which case nothing has been moved. Exit code: 0 moved, 1 not.
 *
 * @param open the database that a configuration names, with the migrations of this version
 */
export async function moveAndEnd<Config extends Places>(
  config: Config,
  open: (config: Config) => Promise<DatabaseConnection<Schema>>,
  logger: FastifyBaseLogger,
): Promise<void> {
  const opened: DatabaseConnection<Schema>[] = [];
  try {
    if (config.DATABASE_URL === undefined) throw new Error('DATABASE_URL has to name the server');
    // It would be made, and moved as the nothing that it is.
    if (!existsSync(embeddedPlace(config.DATA_DIR)))
      throw new Error(`there is no embedded database in DATA_DIR (${resolve(config.DATA_DIR)})`);
    const from = await open({ ...config, DATABASE_URL: undefined, DATABASE_DIRECT_URL: undefined });
    opened.push(from);
    const to = await open(config);
    opened.push(to);
    // Services without a database load this file too, and would load drizzle.
    const { moveRows } = await import('../database/move-rows.js');
    const rows = await within(waitMs, 'moving the rows', moveRows(from, to));
    logger.info({ rows }, 'the rows of the embedded database were moved');
  } catch (error) {
    logger.fatal({ err: error }, 'the rows of the embedded database could not be moved');
    process.stderr.write(`The rows of the embedded database could not be moved: ${describeError(error)}\n`);
    process.exitCode = 1;
  } finally {
    await Promise.all(opened.map((database) => database.close()));
  }
}

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
