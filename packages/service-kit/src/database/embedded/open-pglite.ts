import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { within } from '@mlango/async/within';
import { sql } from 'drizzle-orm';
import { makeFolder } from '../../env/data-dir.js';
import type { PgliteOptions } from '../database-options.js';
import { applyMigrations, readMigrations } from '../migrations/apply-migrations.js';
import type { DatabaseConnection, Schema } from '../sql-database.js';
import { lockDirectory } from './directory-lock.js';
import { embeddedFailure, embeddedPlace, readClusterImage, unpackCluster } from './embedded-files.js';

const LIMITS = { lockWaitMs: 10_000, statementMs: 10 * 60_000 };
const PING_LIMIT_MS = 1_000;
const CLOSE_LIMIT_MS = 4_500;
const serverSettings = {
  // Otherwise Postgres renews a timer every 10 s, and a process with an idle database never ends by itself.
  log_startup_progress_interval: '0',
  // By default 128 MB, which are written at the start and stay in memory.
  shared_buffers: '16MB',
};

/**
 * Opens the embedded Postgres and migrates it. Rejects if another process holds the directory or a migration fails: no other process
 * could repair it meanwhile.
 */
export async function openPglite<TSchema extends Schema>(
  options: PgliteOptions<TSchema>,
): Promise<DatabaseConnection<TSchema>> {
  const { schema, logger } = options;
  const reuseKey =
    options.dataDir === REUSED_MEMORY
      ? JSON.stringify([options.migrationsFolder, options.ownedTables ?? []])
      : undefined;
  const idle = reuseKey === undefined ? undefined : takeIdlePglite(reuseKey);
  const migrations = idle === undefined ? readMigrations(options.migrationsFolder) : [];
  const place = preparePlace(options.dataDir);
  const lock = place === undefined ? undefined : await lockDirectory(place);
  try {
    let closing: Promise<void> | undefined;
    const [client, { drizzle }] = await Promise.all([idle?.client ?? start(place), import('drizzle-orm/pglite')]);
    const guarded = reuseKey === undefined ? client : guardPglite(client, () => closing !== undefined);
    const db = drizzle(guarded, { schema });
    let migrated = idle;
    if (migrated === undefined) {
      try {
        const count = await applyMigrations(db, migrations, LIMITS, options.ownedTables);
        if (count > 0) logger.info({ count, directory: place ?? 'memory' }, 'database migrations applied');
        if (reuseKey !== undefined) migrated = await describePglite(client, reuseKey);
      } catch (error) {
        await client.close().catch(() => {});
        throw error;
      }
    }
    const end = () => (migrated === undefined ? client.close() : reusePglite(migrated));
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
          .catch((error: unknown) => logger.warn({ err: error }, 'closing the embedded database failed'))
          .finally(() => lock?.release());
        return closing;
      },
    };
  } catch (error) {
    lock?.release();
    throw place === undefined ? error : embeddedFailure(place, error);
  }
}

/** Starts the database at a place, or in memory without one. */
async function start(place: string | undefined): Promise<PGlite> {
  // Loaded on demand: a service on a Postgres server does not pay for the embedded one.
  const { PGlite } = await import('@electric-sql/pglite');
  const image = place === undefined || !existsSync(place) ? readClusterImage() : undefined;
  if (place !== undefined && image !== undefined) unpackCluster(image, place);
  const loadDataDir = place === undefined && image !== undefined ? { loadDataDir: new Blob([image]) } : {};
  const startParams = [
    ...PGlite.defaultStartParams,
    ...Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const client = new PGlite(place ?? 'memory://', { ...loadDataDir, startParams });
  await client.waitReady;
  return client;
}

function preparePlace(dataDir: string): string | undefined {
  if (dataDir.startsWith('memory://')) return undefined;
  makeFolder(resolve(dataDir));
  return embeddedPlace(dataDir);
}

/** The `dataDir` of tests that open many databases: in memory, emptied on close, and then reused. */
export const REUSED_MEMORY = 'memory://reused';

/** Each holds about 60 MB. Starting another one costs about a second of CPU. */
const MAX_IDLE = 6;

/** Of a reused database, with deleted rows. */
const MAX_BYTES = 16 * 1024 * 1024;

interface MigratedPglite {
  readonly client: PGlite;
  /** The same for databases with the same migrations. */
  readonly key: string;
  /** As the migrations leave it. */
  readonly catalog: string;
  /** Statements that delete all rows. */
  readonly empty: string;
}

const idlePglites: MigratedPglite[] = [];

/** Takes an empty, migrated database out of the idle ones; undefined if none has these migrations. */
export function takeIdlePglite(key: string): MigratedPglite | undefined {
  const at = idlePglites.findIndex((one) => one.key === key);
  return at === -1 ? undefined : idlePglites.splice(at, 1)[0];
}

/**
 * Describes a migrated database, so that `reusePglite` can detect changes. Returns undefined if migrations
 * insert rows: emptying it would lose them.
 */
async function describePglite(client: PGlite, key: string): Promise<MigratedPglite | undefined> {
  const { catalog, bytes } = await catalogOf(client);
  const { rows } = await client.query<{ deletes: string | null }>(DELETES);
  // Without foreign keys and triggers, in any order. `discard all` resets the setting.
  const empty = `set session_replication_role = replica; ${rows[0]?.deletes ?? ''}; ${RESTART_COUNTERS}`;
  return bytes === 0 ? { client, key, catalog, empty } : undefined;
}

/** Empties a database and makes it idle. Closes it instead if its tables differ from those of the migrations, or are large. */
async function reusePglite(migrated: MigratedPglite): Promise<void> {
  const { client } = migrated;
  try {
    const { catalog, bytes } = await catalogOf(client);
    if (catalog !== migrated.catalog || bytes > MAX_BYTES) return await client.close();
    // Deleting takes a tenth of the time of truncating, but the space of the rows stays in use.
    await client.exec(migrated.empty);
    await client.exec('discard all');
    // Deletes old files of the log, which are in memory.
    await client.exec('checkpoint');
  } catch (error) {
    await client.close();
    throw error;
  }
  idlePglites.push(migrated);
  if (idlePglites.length > MAX_IDLE) await idlePglites.shift()?.client.close();
}

/** The same client until `isClosed`; then each use of it throws, so that a late query of one test does not reach the next one. */
function guardPglite(client: PGlite, isClosed: () => boolean): PGlite {
  return new Proxy(client, {
    get(target, name) {
      if (isClosed()) throw new Error('the database connection is closed');
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const DELETES = `select string_agg(format('delete from %I.%I', schemaname, tablename), '; ') as deletes
  from pg_tables where schemaname !~ '^pg_' and schemaname not in ('information_schema', 'drizzle')`;

const RESTART_COUNTERS = 'select setval(seqrelid::regclass, seqstart, false) from pg_sequence';

interface Catalog {
  /** Differs after every change of a table, column, constraint, trigger or function. */
  readonly catalog: string;
  /** Size of the rows of all tables. */
  readonly bytes: number;
}

/** The state of the catalog, which shows whether the tables are still those of the migrations. */
export async function catalogOf(client: Pick<PGlite, 'query'>): Promise<Catalog> {
  const { rows } = await client.query<Catalog>(CATALOG);
  if (rows[0] === undefined) throw new Error('the catalog returned no row');
  return rows[0];
}

/** A changed row of a catalog has a new `xmin`. Objects of Postgres itself have smaller ids. */
const CATALOG = `
select
  concat_ws(' ',
    (select count(*) from pg_class where oid >= 16384),
    (select format('%s %s', count(*), max(xmin::text::bigint)) from pg_attribute where attrelid >= 16384),
    (select format('%s %s', count(*), max(xmin::text::bigint)) from pg_constraint where oid >= 16384),
    (select format('%s %s', count(*), max(xmin::text::bigint)) from pg_trigger where oid >= 16384),
    (select format('%s %s', count(*), max(xmin::text::bigint)) from pg_proc where oid >= 16384)
  ) as catalog,
  (select coalesce(sum(pg_relation_size(oid)), 0)::int from pg_class
    where oid >= 16384 and relkind in ('r', 't') and relname !~ '^__') as bytes`;
