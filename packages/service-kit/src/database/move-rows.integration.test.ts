import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { asc } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNotes, migrationsFolder, notes, schema } from './migrations/migrations.fixture.js';
import { moveRows } from './move-rows.js';
import { openDatabase } from './open-database.js';

const citations = {
  tag: '0001_a_citations',
  when: 1_700_000_000_500,
  sql: 'create table a_citations (position bigint generated always as identity, note int references notes (id), raw bytea, big bigint, twice int generated always as (note * 2) stored);',
};

async function open(url?: string) {
  const folder = migrationsFolder([createNotes, citations]);
  const logger = pino({ level: 'silent' });
  const database = await openDatabase({ url, dataDir: 'memory://', schema, migrationsFolder: folder, logger });
  onTestFinished(() => database.close());
  await database.migrated;
  return database;
}

describe.skipIf(postgresUrl === undefined)('rows of an embedded database', () => {
  it('are copied to a server unchanged, in the order of their foreign keys, and its sequences continue after them', async () => {
    const { url, read, drop } = await freshDatabase();
    onTestFinished(drop);
    const [embedded, server] = await Promise.all([open(), open(url)]);
    const written = Array.from({ length: 450 }, (_, index) => ({
      title: `é "${index}" \\ $1 '`,
      tags: ['a,b', '{}', 'ü'],
      body: { text: `\n${index}` },
      writtenAt: new Date(1_700_000_000_123 + index),
    }));
    await embedded.db.insert(notes).values(written);
    await embedded.db.execute("insert into a_citations (note, raw, big) values (7, '\\x00ff', 9007199254740993)");
    expect(await moveRows(embedded, server)).toBe(451);
    const all = (db: typeof server.db) => db.select().from(notes).orderBy(asc(notes.id));
    expect(await all(server.db)).toEqual(await all(embedded.db));
    expect(await read("select note, encode(raw, 'hex') as raw, big::text, twice from a_citations")).toEqual([
      { note: 7, raw: '00ff', big: '9007199254740993', twice: 14 },
    ]);
    await server.db.insert(notes).values({ title: 'next' });
    await server.db.execute('insert into a_citations (note) values (451)');
    expect(await read('select position::int, note from a_citations order by 1')).toMatchObject([
      { position: 1 },
      { position: 2, note: 451 },
    ]);
  });

  it('are not copied into a server with rows, and a failed copy leaves none behind', async () => {
    const { url, read, drop } = await freshDatabase();
    onTestFinished(drop);
    const [embedded, server] = await Promise.all([open(), open(url)]);
    await embedded.db.insert(notes).values({ title: 'mine' });
    await server.db.execute('insert into a_citations (note) values (null)');
    await expect(moveRows(embedded, server)).rejects.toThrow('the table a_citations has rows already');
    expect(await read('select * from notes')).toEqual([]);
  });
});
