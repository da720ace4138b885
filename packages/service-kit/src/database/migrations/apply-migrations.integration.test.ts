import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodeOf } from '../../errors/sql-errors.js';
import { applyMigrations, readMigrations } from './apply-migrations.js';
import { countRuns, createNotes, migrationsFolder } from './migrations.fixture.js';

const QUICK = { lockWaitMs: 200, statementMs: 5_000 };

describe.skipIf(postgresUrl === undefined)('applying migrations on a server', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let clients: postgres.Sql[];
  beforeAll(async () => {
    database = await freshDatabase();
    clients = [postgres(database.url, { max: 2, onnotice: () => {} }), postgres(database.url, { max: 1 })];
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
    await database.drop();
  });

  it('waits a bounded time for another replica that migrates', async () => {
    const [mine, other] = clients;
    if (mine === undefined || other === undefined) throw new Error('no clients');
    const migrations = readMigrations(migrationsFolder([createNotes, countRuns]));
    await other.begin(async (held) => {
      await held`select pg_advisory_xact_lock(7031466105)`;
      const attempt = applyMigrations(drizzle(mine), migrations, QUICK);
      expect(await attempt.catch(errorCodeOf)).toBe('55P03');
    });
    expect(await applyMigrations(drizzle(mine), migrations, QUICK)).toBe(2);
    expect(await applyMigrations(drizzle(mine), migrations, QUICK)).toBe(0);
  });

  it('lets two services with migrations of their own share a database', async () => {
    const [mine] = clients;
    if (mine === undefined) throw new Error('no clients');
    const older = { tag: '0000_other', when: createNotes.when - 1, sql: 'create table other_service (id int);' };
    expect(await applyMigrations(drizzle(mine), readMigrations(migrationsFolder([older])), QUICK)).toBe(1);
  });

  it('applies the migrations of parts after those of the service, each once, even if names repeat', async () => {
    const [mine] = clients;
    if (mine === undefined) throw new Error('no clients');
    const partOf = (owner: string, ...statements: string[][]) => ({
      owner,
      names: [`of_${owner}`, 'never'],
      refersTo: [],
      migrations: statements.map((each, index) => ({ name: `000${index}`, sql: each })),
    });
    const one = partOf('one', ['create table of_one (id int)', 'insert into of_one values (1)']);
    const two = partOf('two', ['create table of_two (id int)']);
    const all = readMigrations(migrationsFolder([createNotes, countRuns]));
    expect(await applyMigrations(drizzle(mine), all, QUICK, [one])).toBe(1);
    expect(await Promise.all([1, 2].map(() => applyMigrations(drizzle(mine), all, QUICK, [one, two])))).toContain(1);
    const broken = partOf(
      'two',
      ['create table of_two (id int)'],
      ['create table never (id int)'],
      ['select nonsense'],
    );
    await expect(applyMigrations(drizzle(mine), all, QUICK, [one, broken])).rejects.toThrow();
    expect(await mine`select to_regclass('never') as found`).toEqual([{ found: null }]);
  });
});
