// Migrations expand: while a release is rolled out or back, the one before it works on the same tables.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractionsOf, createdTables, foldName } from './contractions.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/** @typedef {{ tag: string, sql: string }} Migration */

/**
 * What the migrations of a folder that are newer than the newest release take away from it. Tables that are as new as they are may be changed at will.
 * @param {readonly Migration[]} migrations - in their order
 * @param {string | undefined} until - the tag of the last one that was released
 * @param {string} version - of the newest release
 * @returns {string[]} one line per finding
 */
export function contractingMigrations(migrations, until, version) {
  const last = migrations.findIndex(({ tag }) => tag === until);
  if (until !== undefined && last === -1) return [`${until} was released and is gone: databases have it`];
  const fresh = migrations.slice(last + 1);
  const own = new Set(fresh.flatMap(({ sql }) => createdTables(sql)));
  return fresh.flatMap(({ tag, sql }) =>
    contractionsOf(sql)
      .filter(({ table }) => table === undefined || !own.has(foldName(table)))
      .flatMap(({ statement, takes, note }) => {
        const problem = note === undefined ? 'the release before this one may need it' : noteProblem(note, version);
        return problem === undefined ? [] : [`${tag}: ${takes} (${statement}): ${problem}`];
      }),
  );
}

/**
 * @param {string} note - `0.2.0, 2027-01-15: what did`
 * @param {string} version
 */
function noteProblem(note, version) {
  const [, since = '', date = '', why = ''] = /^(\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d): (\S.*)$/.exec(note) ?? [];
  if (why === '') return 'say "-- unused since <release>, <date>: <what used it>"';
  const at = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(date)) return `${date} is no date`;
  return isLater(since, version) ? `${since} is not released: the newest is ${version}` : undefined;
}

/**
 * @param {string} one
 * @param {string} other
 */
function isLater(one, other) {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}

/**
 * @param {string} folder - with the journal of drizzle-kit
 * @returns {Migration[]}
 */
function readFolder(folder) {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
  return journal.entries.map((/** @type {{ tag: string }} */ { tag }) => ({
    tag,
    sql: readFileSync(join(folder, `${tag}.sql`), 'utf8'),
  }));
}

/** Where the newest release is told with the last migration it has of each service. */
export const releasedMigrationsFile = 'tools/release/released-migrations.json';

/** @typedef {readonly (readonly [owner: string, migrations: Migration[]])[]} Owned */

/**
 * The migrations of each service that has some, and of each plugin of the oracle, which keeps them in code.
 * @param {string} root - built
 * @returns {Promise<Owned>}
 */
async function allMigrations(root) {
  const services = join(root, 'services');
  const keeping = readdirSync(services).filter((name) => existsSync(join(services, name, 'drizzle')));
  /** @type {Owned} */
  const ofServices = keeping.map((name) => [name, readFolder(join(services, name, 'drizzle'))]);
  return [...ofServices, ...(await ofPlugins(join(services, 'oracle-api')))];
}

/**
 * @param {string} service
 * @returns {Promise<Owned>}
 */
async function ofPlugins(service) {
  const plugins = readdirSync(join(service, 'src/plugins'));
  const keeping = plugins.filter((name) => existsSync(join(service, 'src/plugins', name, 'migrations.ts')));
  return Promise.all(
    keeping.map(async (name) => {
      const built = pathToFileURL(join(service, 'dist/plugins', name, 'migrations.js')).href;
      const { migrations } = /** @type {{ migrations: readonly { name: string, sql: readonly string[] }[] }} */ (
        await import(built)
      );
      const each = migrations.map(({ name: tag, sql }) => ({ tag, sql: sql.join(';\n') }));
      return /** @type {const} */ ([`plugin ${name}`, each]);
    }),
  );
}

/** @param {string} root */
export async function checkMigrations(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const released = JSON.parse(readFileSync(join(root, releasedMigrationsFile), 'utf8'));
  return (await allMigrations(root)).flatMap(([name, migrations]) =>
    contractingMigrations(migrations, released[name], version).map((finding) => `${name}: ${finding}`),
  );
}

/**
 * What that file says once this tree is released.
 * @param {string} root
 */
export async function migrationsToRelease(root) {
  const last = (await allMigrations(root)).map(([name, migrations]) => [name, migrations.at(-1)?.tag]);
  return `${JSON.stringify(Object.fromEntries(last), null, 2)}\n`;
}

if (runsDirectly(import.meta.url)) reportAndExit('migrations', await checkMigrations(repositoryRoot));
