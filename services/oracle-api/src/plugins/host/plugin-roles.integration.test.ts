import { randomBytes } from 'node:crypto';
import { canStartPostgres, type SmallPostgres, startSmallPostgres } from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle } from '../../create-test-oracle.js';
import { testPlugin } from '../api/plugin.fixture.js';
import type { PluginDatabase } from '../api/plugin-storage.js';

const notes = pgTable('hostile_notes', { id: text('id').primaryKey(), body: text('body') });
const messages = pgTable('messages', { content: text('content') });
const memories = pgTable('memories', { content: text('content') });
const accounts = pgTable('credit_accounts', { balance: text('balance') });
const operatorToken = 't'.repeat(32);

/** Statements of a plugin, built only from its context. */
const attempts: readonly (readonly [string, (db: PluginDatabase) => PromiseLike<unknown>])[] = [
  [
    'rows of another table by DELETE … USING',
    (db) => db.delete(notes).where(sql`exists (select 1 from messages cross join hostile_notes)`),
  ],
  ['messages', (db) => db.select().from(messages)],
  ['memories of another plugin', (db) => db.select().from(memories)],
  ['a balance', (db) => db.update(accounts).set({ balance: '1000000' })],
  [
    'a table in a subquery',
    (db) => db.select({ body: sql`(select string_agg(content, ' ') from memories)` }).from(notes),
  ],
  [
    'a statement in a statement',
    (db) => db.select({ body: sql`query_to_xml('select * from memories', true, true, '')` }).from(notes),
  ],
  ['another role', (db) => db.select({ body: sql`set_config('role', 'service', false)` }).from(notes)],
  ['a file of the server', (db) => db.select({ body: sql`pg_read_file('/etc/passwd')` }).from(notes)],
  ['another table in a transaction', (db) => db.transaction((tx) => tx.select().from(memories))],
];

describe.skipIf(!canStartPostgres)('an oracle with PLUGIN_ROLES=on', () => {
  let server: SmallPostgres;
  beforeAll(async () => {
    server = await startSmallPostgres(60);
    await server.admin.unsafe('alter role service createrole');
  });
  afterAll(() => server.remove());

  it('serves with its bundled plugins, and Postgres refuses a plugin the tables of others', async () => {
    let given: PluginDatabase | undefined;
    const hostile = testPlugin('hostile', {
      tables: {
        names: ['hostile_notes'],
        migrations: [{ name: '0', sql: ['create table hostile_notes (id text primary key, body text)'] }],
        open: (db) => {
          given = db;
          return db;
        },
      },
    });
    const env = {
      DATABASE_URL: server.url,
      SEAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      PLUGIN_ROLES: 'on',
      PLUGIN_ROLES_PASSWORD: randomBytes(24).toString('hex'),
      CREDITS: 'local',
      CREDITS_OPERATOR_TOKEN: operatorToken,
    };
    const oracle = await createTestOracle({ plugins: [hostile], env });
    const victim = await oracle.newUser();
    const headers = { authorization: `Bearer ${operatorToken}` };
    const payload = { topUpId: 'first', did: victim.did, tokens: 1_000_000 };
    await oracle.inject({ method: 'POST', url: '/credits/top-ups', headers, payload });
    expect(await victim.callTool('remember', { content: 'the gate code is 1234' })).toMatchObject({ status: 'done' });
    const credits = () => oracle.inject({ url: '/credits', headers: victim.headers });
    const before = (await credits()).json();
    expect(before).toMatchObject({ balance: expect.any(Number) });

    if (given === undefined) throw new Error('the plugin was given no database');
    const db = given;
    await db.insert(notes).values({ id: 'a', body: 'mine' });
    for (const [what, attempt] of attempts) {
      const code = await Promise.resolve(attempt(db)).then(
        () => 'done',
        (error: Error & { cause?: { code?: string } }) => error.cause?.code,
      );
      expect({ what, code }).toEqual({ what, code: '42501' });
    }
    expect(await db.select().from(notes)).toEqual([{ id: 'a', body: 'mine' }]);
    expect((await credits()).json()).toEqual(before);
    expect((await oracle.inject({ url: '/memories', headers: victim.headers })).body).toContain('1234');
    const gone = await oracle.inject({ method: 'DELETE', url: '/account', headers: victim.headers });
    expect(gone.statusCode).toBeLessThan(300);
    expect((await oracle.inject({ url: '/memories', headers: victim.headers })).body).not.toContain('1234');
    await oracle.close();
  });
});
