import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { within } from '@mlango/async/within';
import { sql } from 'drizzle-orm';
import { makeFolder } from '../../process/data-dir.js';
import type { PgliteOptions } from '../database-options.js';
import { applyMigrations, readMigrations } from '../migrations/apply-migrations.js';
import type { DatabaseConnection, Schema } from '../sql-database.js';
import { lockDirectory } from './directory-lock.js';
import { embeddedFailure, embeddedPlace, readClusterImage, unpackCluster } from './embedded-files.js';

const LIMITS = { lockWaitMs: 10_000, statementMs: 10 * 60_000 };
const PING_LIMIT_MS = 1_000;
const CLOSE_LIMIT_MS = 4_500;
/** Without it Postgres renews a timer every 10 s, and a process with an idle database never ends by itself. */
const withoutProgressTimer = ['-c', 'log_startup_progress_interval=0'];

/**
 * Opens the embedded Postgres and migrates it. Rejects if another process holds the directory or a migration fails: no other process
 * could repair it meanwhile.
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

/** The `dataDir` of tests that open many databases: in memory, emptied on close, and then reused. */
export const REUSED_MEMORY = 'memory://reused';

/** Each holds more than 100 MB. */
const MAX_IDLE = 2;

interface MigratedPglite {
  readonly client: PGlite;
  /** The same for databases with the same migrations. */
  readonly key: string;
  /** As the migrations leave it. */
  readonly catalog: string;
}

const idle: MigratedPglite[] = [];

/** Takes an empty, migrated database out of the idle ones; undefined if none has these migrations. */
export function takeIdlePglite(key: string): PGlite | undefined {
  const at = idle.findIndex((one) => one.key === key);
  return at === -1 ? undefined : idle.splice(at, 1)[0]?.client;
}

/**
 * Describes a migrated database, so that `reusePglite` can detect changes. Returns undefined for a database whose migrations
 * insert rows: emptying it would lose them.
 */
async function describePglite(client: PGlite, key: string): Promise<MigratedPglite | undefined> {
  const catalog = await catalogOf(client);
  return catalog === undefined ? undefined : { client, key, catalog };
}

/** Empties a database and makes it idle, or closes it if its tables differ from those of the migrations. */
async function reusePglite(migrated: MigratedPglite): Promise<void> {
  const { client, catalog } = migrated;
  try {
    await client.exec(EMPTY_TABLES);
    await client.exec('discard all');
    // Deletes the files and the log of the emptied tables, which are in memory.
    await client.exec('checkpoint');
    if ((await catalogOf(client)) !== catalog) return await client.close();
  } catch (error) {
    await client.close();
    throw error;
  }
  idle.push(migrated);
  if (idle.length > MAX_IDLE) await idle.shift()?.client.close();
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

const EMPTY_TABLES = `do $$
declare
  names text;
begin
  select string_agg(format('%I.%I', schemaname, tablename), ', ') into names
    from pg_tables where schemaname !~ '^pg_' and schemaname not in ('information_schema', 'drizzle');
  if names is not null then
    execute 'truncate ' || names || ' restart identity cascade';
  end if;
end $$`;

/** A hash of tables, columns, constraints, triggers and functions; undefined if a table has, or had, rows. */
async function catalogOf(client: PGlite): Promise<string | undefined> {
  const { rows } = await client.query<{ catalog: string; rows: number }>(CATALOG);
  return rows[0]?.rows === 0 ? rows[0].catalog : undefined;
}

const CATALOG = `
with own as (
  select c.oid, c.relname, c.relkind, n.nspname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
), parts as (
  select format('%s %s.%s', oid, nspname, relname) as part from own
  union all
  select format('%s.%s %s %s %s', attrelid, attname, atttypid, attnotnull, atthasdef)
    from pg_attribute join own on own.oid = attrelid
  union all
  select format('%s %s', c.oid, conname) from pg_constraint c join own on own.oid = conrelid
  union all
  select format('%s %s %s', t.oid, tgname, tgenabled) from pg_trigger t join own on own.oid = tgrelid
  union all
  select format('%s %s %s', p.oid, proname, md5(prosrc))
    from pg_proc p join pg_namespace n on n.oid = pronamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
)
select md5(string_agg(part, E'\\n' order by part)) as catalog,
  (select count(*)::int from own where relkind = 'r' and nspname <> 'drizzle' and pg_relation_size(oid) > 0) as rows
  from parts`;
