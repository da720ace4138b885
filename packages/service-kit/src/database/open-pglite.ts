import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { makeFolder } from '../make-folder.js';
import { within } from '../within.js';
import { applyMigrations, readMigrations } from './apply-migrations.js';
import { readClusterImage, unpackCluster } from './cluster-image.js';
import type { PgliteOptions } from './database-options.js';
import { lockDirectory } from './directory-lock.js';
import { embeddedFailure } from './embedded-failure.js';
import { embeddedPlace } from './embedded-place.js';
import { describePglite, guardPglite, REUSED_MEMORY, reusePglite, takeIdlePglite } from './reused-pglite.js';
import type { DatabaseConnection, Schema } from './sql-database.js';

const LIMITS = { lockWaitMs: 10_000, statementMs: 10 * 60_000 };
const PING_LIMIT_MS = 1_000;
const CLOSE_LIMIT_MS = 4_500;
/** Else Postgres sets a timer again every 10 s, and a process with an idle database that is kept for reuse never ends by itself. */
const withoutProgressTimer = ['-c', 'log_startup_progress_interval=0'];

/**
 * Opens the embedded Postgres and migrates it. Rejects when another process has the directory or a migration fails:
 * unlike a server's, such a database has no second owner who could repair it meanwhile.
 */
export async function openPglite<TSchema extends Schema>(
  options: PgliteOptions<TSchema>,
): Promise<DatabaseConnection<TSchema>> {
  const { schema, logger } = options;
  const migrations = readMigrations(options.migrationsFolder);
  const place = preparePlace(options.dataDir);
  const lock = place === undefined ? undefined : await lockDirectory(place);
  const reuseKey =
    options.dataDir === REUSED_MEMORY
      ? JSON.stringify([options.migrationsFolder, options.ownedTables ?? []])
      : undefined;
  try {
    let closing: Promise<void> | undefined;
    const [client, { drizzle }] = await Promise.all([start(place, reuseKey), import('drizzle-orm/pglite')]);
    const guarded = reuseKey === undefined ? client : guardPglite(client, () => closing !== undefined);
    const db = drizzle(guarded, { schema });
    let end = () => client.close();
    try {
      const count = await applyMigrations(db, migrations, LIMITS, options.ownedTables);
      if (count > 0) logger.info({ count, directory: place ?? 'memory' }, 'database migrations applied');
      const migrated = reuseKey === undefined ? undefined : await describePglite(client, reuseKey);
      if (migrated !== undefined) end = () => reusePglite(migrated);
    } catch (error) {
      await client.close().catch(() => {});
      throw error;
    }
    return {
      db,
      aside: db,
      stale: db,
      brief: db,
      briefPrimary: db,
      ownedBy: () => db,
      kind: 'pglite',
      migrated: Promise.resolve(),
      ping: async () => {
        if (closing !== undefined) throw new Error('the database connection is closed');
        await within(PING_LIMIT_MS, 'the database ping', Promise.resolve(db.execute(sql`select 1`)));
      },
      close: () => {
        closing ??= within(CLOSE_LIMIT_MS, 'closing the database', end())
          .catch((error: unknown) => logger.warn({ err: error }, 'the embedded database did not close in order'))
          .finally(() => lock?.release());
        return closing;
      },
    };
  } catch (error) {
    lock?.release();
    throw place === undefined ? error : embeddedFailure(place, error);
  }
}

/** Starts the database at a place, or in memory without one. Takes an idle one with this key if there is one. */
async function start(place: string | undefined, reuseKey: string | undefined): Promise<PGlite> {
  const reused = reuseKey === undefined ? undefined : takeIdlePglite(reuseKey);
  if (reused !== undefined) return reused;
  // Loaded on demand: a service on a Postgres server does not pay for the embedded one.
  const { PGlite } = await import('@electric-sql/pglite');
  const image = place === undefined || !existsSync(place) ? readClusterImage() : undefined;
  if (place !== undefined && image !== undefined) unpackCluster(image, place);
  const loadDataDir = place === undefined && image !== undefined ? { loadDataDir: new Blob([image]) } : {};
  const startParams = [...PGlite.defaultStartParams, ...withoutProgressTimer];
  const client = new PGlite(place ?? 'memory://', { ...loadDataDir, startParams });
  await client.waitReady;
  return client;
}

function preparePlace(dataDir: string): string | undefined {
  if (dataDir.startsWith('memory://')) return undefined;
  makeFolder(resolve(dataDir));
  return embeddedPlace(dataDir);
}
