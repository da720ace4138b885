import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import { catalogOf, openPglite, REUSED_MEMORY, takeIdlePglite } from './open-pglite.js';

async function openNotes(migrations: string) {
  const connection = await openPglite({
    dataDir: REUSED_MEMORY,
    schema,
    migrationsFolder: migrations,
    logger: pino({ level: 'silent' }),
  });
  const client = (connection.db as unknown as { $client: PGlite }).$client;
  /** Identifies the database. */
  const identity: unknown = client.Module;
  return { ...connection, client, identity };
}

// Each database takes more than a second of CPU to start, so the tests share them.
describe('a reused database in memory', { timeout: 60_000 }, () => {
  const folder = migrationsFolder([createNotes]);

  it('opens empty, with its counters and settings reset', async () => {
    const identities = new Set<unknown>();
    for (let round = 0; round < 2; round++) {
      const { db, close, identity } = await openNotes(folder);
      identities.add(identity);
      expect(await db.select().from(notes)).toEqual([]);
      expect(await db.insert(notes).values({ title: 'Tea' }).returning({ id: notes.id })).toEqual([{ id: 1 }]);
      expect(await db.execute(sql`select current_setting('statement_timeout') as value`)).toMatchObject({
        rows: [{ value: '0' }],
      });
      await db.execute(sql`set statement_timeout = '1h'`);
      await close();
    }
    expect(identities.size).toBe(1);
  });

  it('serves one user at a time, and two at once from two databases', async () => {
    const [one, other] = [await openNotes(folder), await openNotes(folder)];
    await one.db.insert(notes).values({ title: 'Tea' });
    expect(await other.db.select().from(notes)).toEqual([]);
    await Promise.all([one.close(), other.close(), one.close()]);
    const again = [await openNotes(folder), await openNotes(folder)];
    expect(new Set(again.map(({ identity }) => identity))).toEqual(new Set([one.identity, other.identity]));
    for (const { close } of again) await close();
  });

  it('refuses queries of a closed connection', async () => {
    const closed = await openNotes(folder);
    await closed.close();
    const next = await openNotes(folder);
    await expect(Promise.resolve(closed.db.insert(notes).values({ title: 'late' }))).rejects.toThrow();
    expect(await next.db.select().from(notes)).toEqual([]);
    await next.close();
  });

  it.each([
    'drop table notes',
    'create table other (id int)',
    'alter table notes add column colour text',
    'alter table notes drop constraint notes_title_unique',
    'alter table notes alter column title drop not null',
    `create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  ])('has another catalog after: %s', async (statement) => {
    const { client, close } = await openNotes(folder);
    const { catalog } = await catalogOf(client);
    await client.transaction(async (transaction) => {
      await transaction.exec(statement);
      expect((await catalogOf(transaction)).catalog).not.toBe(catalog);
      await transaction.rollback();
    });
    expect((await catalogOf(client)).catalog).toBe(catalog);
    await close();
  });

  it('is not reused if its catalog has changed', async () => {
    const { db, close, identity } = await openNotes(folder);
    await db.execute(sql`create table other (id int)`);
    await close();
    const next = await openNotes(folder);
    expect(next.identity).not.toBe(identity);
    await next.close();
  });

  it('is not reused if migrations insert rows', async () => {
    const insertNote = {
      tag: '0001_note',
      when: createNotes.when + 1,
      sql: "insert into notes (title) values ('Tea')",
    };
    const withNote = migrationsFolder([createNotes, insertNote]);
    const { db, close } = await openNotes(withNote);
    expect(await db.$count(notes)).toBe(1);
    await close();
    expect(takeIdlePglite(JSON.stringify([withNote, []]))).toBeUndefined();
  });
});
