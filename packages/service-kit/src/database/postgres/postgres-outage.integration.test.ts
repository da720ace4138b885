import { canStartPostgres, type RealServer, startPostgres } from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isConnectionError } from '../../errors/sql-errors.js';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import type { DatabaseConnection } from '../sql-database.js';
import { openPostgres } from './open-postgres.js';

const SOON = { timeout: 15_000, interval: 50 };

describe.skipIf(!canStartPostgres)('a pool under load when its server dies', () => {
  let server: RealServer;
  let connection: DatabaseConnection<typeof schema>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    await server.restart();
    connection = await openPostgres({
      url: server.url,
      schema,
      migrationsFolder: migrationsFolder([createNotes]),
      logger: pino({ level: 'silent' }),
      limits: { maxConnections: 6 },
    });
    await connection.migrated;
  });
  afterEach(() => connection.close());
  afterAll(() => server.remove());

  it('fails every caller with a connection error and gets every connection back', async () => {
    const { db } = connection;
    const outcomes: unknown[] = [];
    let running = true;
    const caller = async (index: number): Promise<void> => {
      for (let round = 0; running; round += 1) {
        const work =
          index % 2 === 0
            ? db.execute(sql`select ${round}::int`)
            : db.transaction(async (tx) => {
                await tx.execute(sql`select ${round}::int`);
                // Like a caller that cleans up after a failed statement.
                await tx.execute(sql`select 1`).catch(() => tx.execute(sql`select 2`));
              });
        await Promise.resolve(work).catch((error: unknown) => {
          outcomes.push(error);
          return new Promise((resolve) => setTimeout(resolve, 1));
        });
      }
    };
    const callers = Array.from({ length: 18 }, (_, index) => caller(index));
    for (let outage = 0; outage < 2; outage += 1) {
      const before = outcomes.length;
      await server.kill();
      await vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(before + 20), SOON);
      await server.restart();
      await vi.waitFor(() => connection.ping(), SOON);
    }
    running = false;
    await Promise.all(callers);
    expect(outcomes.filter((error) => !isConnectionError(error))).toEqual([]);

    // All six are held at once: none is lost.
    let held = 0;
    const together = Array.from({ length: 6 }, () =>
      db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        held += 1;
        await vi.waitFor(() => expect(held).toBe(6), SOON);
      }),
    );
    await Promise.all(together);
    expect(held).toBe(6);
  });

  it('never runs the rest of a transaction outside it after a lost connection', async () => {
    const { db } = connection;
    let proceed: (() => void) | undefined;
    const outage = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    let begun: (() => void) | undefined;
    const firstHalf = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let late: Promise<unknown> | undefined;
    const transaction = db.transaction(async (tx) => {
      await tx.insert(notes).values({ title: 'first half' });
      begun?.();
      await outage;
      late = tx.insert(notes).values({ title: 'second half' }).execute();
      await late;
    });
    const failed = transaction.then(
      () => undefined,
      (error: unknown) => error,
    );
    await firstHalf;
    await server.kill();
    await server.restart();
    await vi.waitFor(() => connection.ping(), SOON);
    proceed?.();
    expect(isConnectionError(await failed)).toBe(true);
    await vi.waitFor(() => expect(late).toBeDefined(), SOON);
    expect(isConnectionError(await late?.catch((error: unknown) => error))).toBe(true);
    expect(await db.select().from(notes)).toEqual([]);
  });
});
