// Migrations only expand: while a release is rolled out or back, the release before it works on the same tables. Needs the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/** @typedef {{ tag: string, sql: string }} Migration */

/** The newest release's last migration of each service and plugin. */
export const releasedMigrationsFile = 'tools/release/released-migrations.json';

const NAME = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`;
const ALTER = `^alter table (?:if exists )?(?:only )?${NAME} (?:.*, ?)?`;
/** @type {readonly (readonly [what: string, statement: string])[]} */
const CONTRACTIONS = [
  ['drops a table', `^drop table (?:if exists )?${NAME}`],
  [
    'drops a view, a type, a function or a schema',
    '^drop (?:materialized view|view|type|function|schema|sequence|domain) ',
  ],
  ['drops a column', `${ALTER}drop (?!constraint )`],
  [
    'renames',
    `^alter (?:table|view|type|function|sequence|schema|index) (?:if exists )?(?:only )?${NAME} (?:.* )?rename `,
  ],
  ['adds a required column', `${ALTER}add (?:column )?(?!constraint )(?!.*(?:default|generated) ).*not null`],
  ['makes a column required', `${ALTER}alter (?:column )?\\S+ set not null`],
  ['changes a type', `${ALTER}alter (?:column )?\\S+ (?:set data )?type `],
  ['drops a default', `${ALTER}alter (?:column )?\\S+ drop default`],
  ['adds a constraint', `${ALTER}add constraint `],
  ['adds a unique index', `^create unique index .*? on (?:only )?${NAME}`],
  ['deletes rows', `^(?:truncate(?: table)?|delete from) (?:only )?${NAME}`],
];

/** @param {string} name */
const unqualified = (name) => name.replace(/^.*\./, '').replaceAll('"', '');

/**
 * Statements in lower case on one line each, without comments and function bodies. `note`: the text of the comment above after
 * `unused since`.
 * @param {string} sql
 */
function statementsOf(sql) {
  const withoutTexts = sql.replace(/(\$\w*\$)[\s\S]*?\1/g, "''").replace(/'(?:[^']|'')*'/g, "''");
  return withoutTexts.split(';').map((part) => ({
    text: part
      .replace(/--.*$|\/\*[\s\S]*?\*\//gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase(),
    note: /^\s*-- unused since (.*)$/m.exec(part)?.[1]?.trim(),
  }));
}

/**
 * Names of the tables that a migration creates.
 * @param {ReturnType<typeof statementsOf>} statements
 */
function tablesCreatedBy(statements) {
  return statements.flatMap(({ text }) => {
    const table = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${NAME}`).exec(text)?.[1];
    return table === undefined ? [] : [unqualified(table)];
  });
}

/**
 * Tables that more than one service creates. Services may share a database.
 * @param {readonly (readonly [service: string, migrations: readonly Migration[]])[]} services
 * @returns {string[]} one line per finding
 */
export function tablesOfTwoServices(services) {
  const owners = new Map();
  return services.flatMap(([service, migrations]) => {
    const tables = new Set(migrations.flatMap(({ sql }) => tablesCreatedBy(statementsOf(sql))));
    return [...tables].flatMap((table) => {
      const owner = owners.get(table);
      owners.set(table, service);
      return owner === undefined ? [] : [`${service}: the table ${table} belongs to ${owner}: name it otherwise`];
    });
  });
}

/**
 * Contractions in the migrations after the newest release. Tables that these migrations create may change freely.
 * @param {readonly Migration[]} migrations - in order
 * @param {string | undefined} released - tag of the last one that was released
 * @param {string} version - of the newest release
 * @returns {string[]} one line per finding
 */
export function contractingMigrations(migrations, released, version) {
  const last = migrations.findIndex(({ tag }) => tag === released);
  if (released !== undefined && last === -1) return [`${released} was released and must stay: databases have it`];
  const unreleased = migrations.slice(last + 1).map(({ tag, sql }) => ({ tag, statements: statementsOf(sql) }));
  const created = new Set(unreleased.flatMap(({ statements }) => tablesCreatedBy(statements)));
  return unreleased.flatMap(({ tag, statements }) =>
    statements.flatMap(({ text, note }) => {
      const [what, statement = ''] = CONTRACTIONS.find(([, pattern]) => new RegExp(pattern).test(text)) ?? [];
      const table = new RegExp(statement).exec(text)?.[1];
      if (what === undefined || (table !== undefined && created.has(unqualified(table)))) return [];
      const problem = note === undefined ? 'the release before this one may need it' : noteProblem(note, version);
      return problem === undefined ? [] : [`${tag}: ${what} (${text.slice(0, 100)}): ${problem}`];
    }),
  );
}

/**
 * @param {string} note - `0.2.0, 2027-01-15: what used it`
 * @param {string} version
 */
function noteProblem(note, version) {
  const since = /^(\d+\.\d+\.\d+), \d{4}-\d\d-\d\d: \S/.exec(note)?.[1];
  if (since === undefined) return 'write "-- unused since <release>, <date>: <what used it>"';
  const isReleased = since.localeCompare(version, 'en', { numeric: true }) <= 0;
  return isReleased ? undefined : `${since} is not released: the newest is ${version}`;
}

/**
 * Migrations by owner: each service with a `drizzle` folder, and each plugin of the oracle with migrations as code.
 * @param {string} root - built
 * @returns {Promise<(readonly [owner: string, migrations: Migration[]])[]>}
 */
async function allMigrations(root) {
  const services = join(root, 'services');
  const ofServices = readdirSync(services).flatMap((name) => {
    const folder = join(services, name, 'drizzle');
    if (!existsSync(folder)) return [];
    const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
    const migrations = entries.map((/** @type {Migration} */ { tag }) => ({
      tag,
      sql: readFileSync(join(folder, `${tag}.sql`), 'utf8'),
    }));
    return [/** @type {const} */ ([name, migrations])];
  });
  const plugins = join(services, 'oracle-api/dist/plugins');
  const withMigrations = readdirSync(plugins).filter((name) => existsSync(join(plugins, name, 'tables.js')));
  const ofPlugins = withMigrations.map(async (name) => {
    const { tables } = await import(pathToFileURL(join(plugins, name, 'tables.js')).href);
    const named = tables.migrations.map((/** @type {{ name: string, sql: readonly string[] }} */ one) => ({
      tag: one.name,
      sql: one.sql.join(';\n'),
    }));
    return /** @type {const} */ ([`plugin ${name}`, named]);
  });
  return [...ofServices, ...(await Promise.all(ofPlugins))];
}

/** @param {string} root */
export async function checkMigrations(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const released = JSON.parse(readFileSync(join(root, releasedMigrationsFile), 'utf8'));
  const all = await allMigrations(root);
  const contractions = all.flatMap(([owner, migrations]) =>
    contractingMigrations(migrations, released[owner], version).map((finding) => `${owner}: ${finding}`),
  );
  // The oracle once created the tables of its bundled plugins, which took them over.
  return [...contractions, ...tablesOfTwoServices(all.filter(([owner]) => !owner.startsWith('plugin ')))];
}

/**
 * The text of `releasedMigrationsFile` once this tree is released.
 * @param {string} root
 */
export async function migrationsToRelease(root) {
  const last = (await allMigrations(root)).map(([owner, migrations]) => [owner, migrations.at(-1)?.tag]);
  return `${JSON.stringify(Object.fromEntries(last), null, 2)}\n`;
}

if (runsDirectly(import.meta.url)) reportAndExit('migrations', await checkMigrations(repositoryRoot));
