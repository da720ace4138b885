import { PGlite } from '@electric-sql/pglite';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { runsIntegration } from '@mlango/test-services/required';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlDatabase } from '../sql-database.js';
import { applyMigrations } from './apply-migrations.js';

const LIMITS = { lockWaitMs: 5_000, statementMs: 30_000 };
const cascade = 'references sessions(id) on delete cascade';

async function openEither(): Promise<{ db: SqlDatabase<Record<string, never>>; close: () => Promise<unknown> }> {
  if (!runsIntegration) {
    const client = new PGlite('memory://');
    return { db: drizzlePglite(client), close: () => client.close() };
  }
  const fresh = await freshDatabase();
  const client = postgres(fresh.url, { max: 1, onnotice: () => {} });
  return { db: drizzlePostgres(client), close: () => client.end({ timeout: 1 }).then(fresh.drop) };
}

describe.skipIf(runsIntegration && postgresUrl === undefined)('migrations of an owner of tables', () => {
  let db: SqlDatabase<Record<string, never>>;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ db, close } = await openEither());
    for (const statement of [
      'create table messages (id int primary key, body text)',
      'create table sessions (id int primary key, title text)',
    ]) {
      await db.execute(sql.raw(statement));
    }
  });
  afterAll(() => close());

  let count = 0;
  const migrate = (statements: readonly string[], name = `${count++}`) =>
    applyMigrations(db, [], LIMITS, [
      {
        owner: 'plugin town',
        names: ['towns', 'trips'],
        refersTo: ['sessions'],
        migrations: [{ name, sql: statements }],
      },
    ]);
  const exists = async (table: string) => {
    const rows = await db.select({ found: sql`to_regclass(${table})::text` }).from(sql`(select 1) as one`);
    return rows[0]?.found !== null;
  };

  it('create, fill, change and drop the tables of the owner, which may refer to permitted tables', async () => {
    const create = [
      `create table towns (id serial primary key, n int generated always as identity, session_id int ${cascade}, word text)`,
      'create table trips (town int references towns(id), note text)',
      'create unique index towns_word on towns (lower(word))',
    ];
    expect(await migrate(create)).toBe(1);
    expect(
      await migrate([
        'insert into trips (town) values (null)',
        "do $$ begin insert into towns (word) values ('Voi'); exception when unique_violation then null; end $$",
        'alter table towns alter column word type varchar(50), add column at timestamptz default now()',
        'create index towns_at on towns (at)',
      ]),
    ).toBe(1);
    expect(await migrate(['drop table trips', 'drop table towns'])).toBe(1);
    expect(await exists('towns')).toBe(false);
  });

  it.each([
    ['table cities', 'create table cities (id int)'],
    ['table towns_seq', 'create sequence towns_seq'],
    ['table town_words', 'create view town_words as select word from towns'],
    ['table messages', 'insert into towns (word) select body from messages'],
    ['table messages', 'delete from towns using (messages cross join trips)'],
    ['table messages', 'create index messages_body on messages (body)'],
    ['table messages', 'alter table messages alter column body set not null'],
    ['table messages', 'drop table messages'],
    ['table messages', 'grant select on messages to public'],
    ['table messages', 'alter table trips add foreign key (town) references messages(id) on delete cascade'],
    ['table messages', 'do $$ begin update messages set body = null; exception when others then null; end $$'],
    ['table sessions', "update sessions set title = ''"],
    ['table sessions', 'alter table sessions add column word text'],
    ['table sessions', 'truncate sessions cascade'],
    [
      'table sessions',
      'create trigger t before update on sessions for each row execute function suppress_redundant_updates_trigger()',
    ],
    [
      'foreign key trips_town_fkey1, which is not on delete cascade',
      'alter table trips add foreign key (town) references sessions(id)',
    ],
    ['table villages', 'alter table towns rename to villages'],
    ['function word_of(integer)', "create function word_of(int) returns text language sql as 'select null::text'"],
    ['type mood', "create type mood as enum ('calm')"],
    ['schema town', 'create schema town'],
    ['setting search_path', 'set search_path = pg_catalog'],
  ])('are rolled back when they change objects of another owner: %s', async (object, statement) => {
    const begin = [
      'create table towns (id serial primary key, word text)',
      'create table trips (town int references towns(id))',
    ];
    const refusal = await migrate([...begin, statement], 'touches').catch((error: unknown) => String(error));
    expect(refusal).toMatch(/^Error: plugin town: its migrations use or change what is not its own: /);
    expect(refusal).toContain(object);
    expect(await exists('towns')).toBe(false);
  });

  it('are refused when they touch a temporary table or end their transaction', async () => {
    await expect(migrate(['create temporary table words (a int)'])).rejects.toThrow(/table .*words/);
    await expect(migrate(['commit', 'begin'])).rejects.toThrow('the transaction');
  });
});
