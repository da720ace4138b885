import { canStartPostgres, type PostgresPair, startPostgresPair } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isConnectionError } from '../../errors/sql-errors.js';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import type { DatabaseConnection } from '../sql-database.js';
import { openPostgres } from './open-postgres.js';

const SOON = { timeout: 30_000, interval: 50 };

describe.skipIf(!canStartPostgres)('a database with a primary and standbys', { timeout: 90_000 }, () => {
  let pair: PostgresPair;
  let connection: DatabaseConnection<typeof schema> | undefined;
  beforeEach(async () => {
    pair = await startPostgresPair();
  });
  afterEach(async () => {
    await connection?.close();
    await pair.remove();
  });
  async function open(url: string) {
    connection = await openPostgres({
      url,
      schema,
      migrationsFolder: migrationsFolder([createNotes]),
      logger: pino({ level: 'silent' }),
      limits: { maxConnections: 4, slotWaitMs: 500 },
    });
    await connection.migrated;
    return connection;
  }
  const titles = async ({ db }: DatabaseConnection<typeof schema>) =>
    (await db.select({ title: notes.title }).from(notes)).map(({ title }) => title);

  it('continues on the promoted standby with every acknowledged write, and fails while there is no primary', async () => {
    const opened = await open(pair.url);
    const stored: string[] = [];
    const failures: unknown[] = [];
    let over = false;
    // Four writers, one for each connection, each with its own unique titles.
    const writer = async (name: number) => {
      for (let count = 0; !over; count += 1) {
        const title = `${name}-${count}`;
        await opened.db
          .insert(notes)
          .values({ title })
          .then(
            () => stored.push(title),
            (error: unknown) => failures.push(error),
          );
      }
    };
    const writers = Promise.all([0, 1, 2, 3].map(writer));
    await vi.waitFor(() => expect(stored.length).toBeGreaterThan(40), SOON);
    await pair.primary.kill();
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(8), SOON);
    await expect(opened.ping()).rejects.toThrow();
    await pair.standby.promote();
    const before = stored.length;
    await vi.waitFor(() => expect(stored.length).toBeGreaterThan(before + 40), SOON);
    over = true;
    await writers;
    expect(failures.filter((error) => !isConnectionError(error))).toEqual([]);
    const present = await titles(opened);
    expect(stored.filter((title) => !present.includes(title))).toEqual([]);
  });

  it('is found when the first host is a standby, or is down', async () => {
    const { username, password, host } = new URL(pair.standby.url);
    const other = new URL(pair.primary.url).host;
    const opened = await open(`postgres://${username}:${password}@${host},${other}/postgres`);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((title) => opened.db.insert(notes).values({ title })));
    expect((await titles(opened)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('waits for the primary and writes to no standby when one name resolves to both', async () => {
    const opened = await open(pair.primary.url);
    await opened.close();
    const only = await openPostgres({
      url: `${pair.standby.url}?target_session_attrs=primary`,
      schema,
      migrationsFolder: migrationsFolder([createNotes]),
      logger: pino({ level: 'silent' }),
    });
    connection = only;
    const early = await only.db
      .insert(notes)
      .values({ title: 'early' })
      .catch((error: unknown) => error);
    expect(isConnectionError(early)).toBe(true);
    await pair.primary.kill();
    await pair.standby.promote();
    await vi.waitFor(() => only.ping(), SOON);
    await only.db.insert(notes).values({ title: 'late' });
    expect(await titles(only)).toEqual(['late']);
  });
});
