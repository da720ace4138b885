import { describe, expect, it } from 'vitest';
import { oracleTables } from '../../deps/oracle-tables.js';
import { bundledPlugins } from '../bundled-plugins.js';
import { migrationRefusal } from './migration-refusal.js';
import { checkTables } from './own-tables.js';

const rights = { own: new Set(['towns', 'trips']), ofSessions: false };
const ofSession = 'REFERENCES sessions(owner_did,session_id) ON DELETE cascade';

describe('what a plugin may migrate', () => {
  it.each([
    `create table towns (owner text primary key, n numeric(3, 1) not null default 0, at timestamp (3) with time zone default now())`,
    `create table if not exists trips (town text references towns(owner), n int check (n > 0), unique (town, n))`,
    `create unique index if not exists towns_idx on towns using btree (lower(owner)) where n > 0`,
    `alter table if exists towns add column a int default 0, drop constraint b, alter column c set not null, rename column d to e`,
    `drop table if exists towns`,
    `update towns set n = 1`,
  ])('takes %s', (sql) => expect(migrationRefusal(sql, rights)).toBeUndefined());

  it.each([
    `create view towns as select * from memories`,
    `create table towns as select * from memories`,
    `create table towns as table memories`,
    `create table towns (like memories including all)`,
    `create table towns (a int) inherits (memories)`,
    `create table towns partition of memories default`,
    `create table towns (a int references memories(id))`,
    `create table towns (a int references towns.memories)`,
    `create table towns (a text, b text, foreign key (a, b) ${ofSession})`,
    `create table towns (a int default nextval('memories_position_seq'))`,
    `create table towns (a xml default query_to_xml('select * from memories', true, true, ''))`,
    `create table towns (a int) tablespace x`,
    `create table memories (a int)`,
    `create table public.towns (a int)`,
    `create temp table towns (a int)`,
    `create index x on memories (content)`,
    `create index x on towns (a) with (fillfactor = 10)`,
    `create function f() returns int language sql as 'select 1'`,
    `create trigger t after insert on towns execute function f()`,
    `alter table memories add column a int`,
    `alter table towns inherit memories`,
    `alter table towns add column a int, inherit memories`,
    `alter table towns rename to memories`,
    `alter table towns set schema drizzle`,
    `alter table towns owner to somebody`,
    `drop table memories`,
    `drop table towns, memories`,
    `drop schema public cascade`,
    `update credit_accounts set balance = 1`,
    `insert into towns select content from memories`,
    `grant all on memories to public`,
    `create table towns (a int); drop table memories`,
  ])('refuses %s', (sql) => expect(migrationRefusal(sql, rights)).toEqual(expect.any(String)));

  it('lets rows belong to sessions where that is granted, in this one form', () => {
    const belonging = (clause: string) =>
      migrationRefusal(`create table towns (a text, foreign key (a) ${clause})`, { ...rights, ofSessions: true });
    expect(belonging(ofSession)).toBeUndefined();
    expect(belonging('references sessions(owner_did,session_id)')).toBeDefined();
    expect(belonging('references sessions(session_id) on delete cascade')).toBeDefined();
    expect(belonging('references messages(owner_did,session_id) on delete cascade')).toBeDefined();
  });

  it('takes what the bundled plugins do, and no table twice, of the oracle, or of a name that is not its own', async () => {
    const bundled = await bundledPlugins();
    expect(() => checkTables(bundled, oracleTables)).not.toThrow();
    const claiming = (name: string, table: string) => {
      const migrations = [{ name: '0', sql: [`create table if not exists ${table} (a int)`] }];
      const manifest = { title: 't', summary: 's', whenToUse: 'w', visibility: 'always' } as const;
      return () =>
        checkTables(
          [...bundled, { name, version: '1.0.0', manifest, tables: { migrations, open: () => 0 } }],
          oracleTables,
        );
    };
    expect(claiming('weather', 'weather_towns')).not.toThrow();
    expect(claiming('credit', 'credit_accounts')).toThrow('is there already, of plugin "credits"');
    expect(claiming('plugin', 'plugin_state')).toThrow('is there already, of the oracle itself');
    expect(claiming('weather', 'towns')).toThrow('does not begin with "weather_"');
  });
});
