import {
  canStartPgBouncer,
  canStartPostgres,
  type SmallPostgres,
  startPgBouncer,
  startSmallPostgres,
} from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorCodeOf } from '../../errors/sql-errors.js';
import { capturedLog } from '../captured-log.fixture.js';
import { errorOf } from '../error-of.fixture.js';
import { openPostgres } from '../postgres/open-postgres.js';
import { createNotes, migrationsFolder, schema } from './migrations.fixture.js';
import type { OwnedTables } from './own-tables.js';

const DENIED = '42501';
const role = { name: 'service_plugin_town', password: 'p'.repeat(32) };
const town: OwnedTables = {
  owner: 'plugin town',
  names: ['towns'],
  refersTo: [],
  migrations: [{ name: '0', sql: ['create table towns (id serial primary key, word text)'] }],
  role,
};

const { role: _role, ...withoutRole } = town;

describe.skipIf(!canStartPostgres)('a role for the tables of one owner', () => {
  let server: SmallPostgres;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await startSmallPostgres(30);
    await server.admin.unsafe('alter role service createrole');
    // As deploy/images/postgres/create-databases.sh leaves a database.
    await server.admin.unsafe('revoke all on database service from public');
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  afterAll(() => server.remove());

  async function open(place: { url?: string; directUrl?: string } = {}, part = town) {
    const { logger, lines } = capturedLog();
    const folder = migrationsFolder([createNotes]);
    const options = { url: server.url, ...place, schema, migrationsFolder: folder, ownedTables: [part], logger };
    const connection = await openPostgres(options);
    cleanUps.push(() => connection.close());
    return { connection, lines };
  }

  it('is created, and reads and changes those rows; Postgres refuses every statement beyond them', async () => {
    const { connection } = await open();
    await connection.migrated;
    await connection.db.execute(sql`insert into notes (title) values ('secret')`);
    const db = connection.ownedBy(town.owner);
    await db.execute(sql`insert into towns (word) values ('Voi')`);
    expect(await db.execute(sql`update towns set word = 'Lamu' returning id, word`)).toEqual([{ id: 1, word: 'Lamu' }]);
    const refused = [
      'select * from notes',
      'delete from towns using (notes cross join towns as own) returning notes.title',
      "update notes set title = ''",
      'truncate towns',
      'set role service',
      'set session authorization service',
      "select set_config('role', 'service', false)",
      "copy notes to '/var/lib/postgresql/notes'",
      "copy towns from program 'true'",
      "select pg_read_file('/etc/passwd')",
      'create table here (a int)',
      'create function f() returns int language sql security definer as $$ select 1 $$',
      'create schema here',
      'create role another',
      'alter table towns add column a int',
      'drop table towns',
      'create index on towns (word)',
      'select rolpassword from pg_authid',
    ];
    for (const statement of refused) {
      const code = errorCodeOf(await errorOf(db.execute(sql.raw(statement))));
      expect({ statement, code }).toEqual({ statement, code: DENIED });
    }
    // `reset role` in a login of its own returns to that login's role.
    await db.execute(sql`reset role`);
    await db.execute(sql`reset session authorization`);
    expect(await db.execute(sql`select current_user::text as user, session_user::text as session`)).toEqual([
      { user: role.name, session: role.name },
    ]);
    expect(errorCodeOf(await errorOf(db.execute(sql`select * from notes`)))).toBe(DENIED);
    expect(await connection.db.execute(sql`select title from notes`)).toEqual([{ title: 'secret' }]);
  });

  it('has two connections at most', async () => {
    const { connection } = await open();
    await connection.migrated;
    const db = connection.ownedBy(town.owner);
    const processes = await Promise.all(
      Array.from({ length: 20 }, () => db.execute(sql`select pg_backend_pid() as pid, pg_sleep(0.01)::text`)),
    );
    expect(new Set(processes.map((rows) => JSON.stringify(rows))).size).toBe(2);
  });

  it.skipIf(!canStartPgBouncer)('works behind a pooler with the role, with the limits of statements', async () => {
    const { connection: direct } = await open();
    await direct.migrated;
    const pooler = await startPgBouncer({ upstream: server.url, logins: [role] });
    cleanUps.push(() => pooler.remove());
    const { connection } = await open({ url: pooler.url, directUrl: server.url });
    await connection.migrated;
    const db = connection.ownedBy(town.owner);
    expect(
      await db.execute(sql`select current_user::text as user, current_setting('statement_timeout') as ms`),
    ).toEqual([{ user: role.name, ms: '15s' }]);
    expect(errorCodeOf(await errorOf(db.execute(sql`select * from notes`)))).toBe(DENIED);
    expect(errorCodeOf(await errorOf(db.execute(sql`set role service`)))).toBe(DENIED);
  });

  it('makes the service not ready if it has further rights, another password, or cannot be created', async () => {
    const logOf = async (part = town) => {
      const { connection, lines } = await open({}, part);
      await expect(connection.ping()).rejects.toThrow('a database migration fails');
      return lines.join('\n');
    };
    await (await open()).connection.migrated;
    for (const [grant, revoke, right] of [
      [
        'grant pg_read_all_data to service_plugin_town',
        'revoke pg_read_all_data from service_plugin_town',
        'membership in pg_read_all_data',
      ],
      [
        'alter role service_plugin_town bypassrls',
        'alter role service_plugin_town nobypassrls',
        'the attributes of an administrator',
      ],
    ] as const) {
      await server.admin.unsafe(grant);
      expect(await logOf()).toContain(`the role \\"service_plugin_town\\" has rights beside those to its tables: `);
      expect(await logOf()).toContain(right);
      await server.admin.unsafe(revoke);
    }
    const { connection } = await open({}, withoutRole);
    await connection.migrated;
    await connection.db.execute(sql`grant select (title) on notes to public`);
    expect(await logOf()).toContain('use of table notes');
    await connection.db.execute(sql`revoke select (title) on notes from public`);
    await connection.db.execute(sql`grant create on schema public to public`);
    expect(await logOf()).toContain('CREATE in schema public');
    await connection.db.execute(sql`revoke create on schema public from public`);
    expect(await logOf({ ...town, role: { ...role, password: 'other' } })).toContain('password authentication failed');
    await server.admin.unsafe('alter role service nocreaterole');
    cleanUps.push(() => server.admin.unsafe('alter role service createrole'));
    const missing = { name: 'service_plugin_missing', password: 'x' };
    expect(await logOf({ ...town, role: missing })).toContain('is missing, and creating it needs CREATEROLE');
    // A role that exists needs no CREATEROLE.
    await (await open()).connection.migrated;
  });
});
