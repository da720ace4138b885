import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import { openPglite, REUSED_MEMORY, takeIdlePglite } from './open-pglite.js';

const openNotes = (folder: string) =>
  openPglite({ dataDir: REUSED_MEMORY, schema, migrationsFolder: folder, logger: pino({ level: 'silent' }) });

/** Whether a database with the migrations of a folder is idle. Closes it. */
async function isIdle(folder: string): Promise<boolean> {
  const idle = takeIdlePglite(JSON.stringify([folder, []]));
  await idle?.client.close();
  return idle !== undefined;
}

describe('a reused database in memory', { timeout: 60_000 }, () => {
  it('opens empty, with its counters and settings reset', async () => {
    const folder = migrationsFolder([createNotes]);
    for (let round = 0; round < 2; round++) {
      const { db, close } = await openNotes(folder);
      expect(await db.select().from(notes)).toEqual([]);
      expect(await db.insert(notes).values({ title: 'Tea' }).returning({ id: notes.id })).toEqual([{ id: 1 }]);
      expect(await db.execute(sql`select current_setting('statement_timeout') as value`)).toMatchObject({
        rows: [{ value: '0' }],
      });
      await db.execute(sql`set statement_timeout = '1h'`);
      await close();
    }
    expect(await isIdle(folder)).toBe(true);
  });

  it('serves one user at a time, and two at once from two databases', async () => {
    const folder = migrationsFolder([createNotes]);
    const [one, other] = [await openNotes(folder), await openNotes(folder)];
    await one.db.insert(notes).values({ title: 'Tea' });
    expect(await other.db.select().from(notes)).toEqual([]);
    await Promise.all([one.close(), other.close(), one.close()]);
    expect([await isIdle(folder), await isIdle(folder), await isIdle(folder)]).toEqual([true, true, false]);
  });

  it('refuses queries of a closed connection', async () => {
    const folder = migrationsFolder([createNotes]);
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
  ])('is not reused after: %s', async (statement) => {
    const folder = migrationsFolder([createNotes]);
    const { db, close } = await openNotes(folder);
    await db.execute(sql.raw(statement));
    await close();
    expect(await isIdle(folder)).toBe(false);
  });

  it('is not reused if migrations insert rows', async () => {
    const insertNote = {
      tag: '0001_note',
      when: createNotes.when + 1,
      sql: "insert into notes (title) values ('Tea')",
    };
    const folder = migrationsFolder([createNotes, insertNote]);
    const { db, close } = await openNotes(folder);
    expect(await db.$count(notes)).toBe(1);
    await close();
    expect(await isIdle(folder)).toBe(false);
  });
});
