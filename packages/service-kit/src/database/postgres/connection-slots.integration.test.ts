import { canStartPostgres, type SmallPostgres, startSmallPostgres } from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isConnectionError, isRefused } from '../../errors/sql-errors.js';
import { capturedLog } from '../captured-log.fixture.js';
import type { PostgresOptions } from '../database-options.js';
import { errorOf } from '../error-of.fixture.js';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import { openPostgres } from './open-postgres.js';

const SOON = { timeout: 15_000, interval: 20 };
/** The test's own connection holds one. */
const freeSlots = 8;

describe.skipIf(!canStartPostgres)('a server of twelve slots, three of them reserved', () => {
  let small: SmallPostgres;
  beforeAll(async () => {
    small = await startSmallPostgres(12);
  });
  afterAll(() => small.remove());

  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    await vi.waitFor(async () => expect(await small.connections()).toEqual(new Map()), SOON);
  });

  async function open(overrides: Partial<PostgresOptions<typeof schema>> = {}) {
    const { logger, lines } = capturedLog();
    const folder = migrationsFolder([createNotes]);
    const connection = await openPostgres({ url: small.url, schema, migrationsFolder: folder, logger, ...overrides });
    cleanUps.push(() => connection.close());
    return { connection, lines };
  }

  /** Takes every free slot; the returned function releases them. */
  async function takeAllSlots(): Promise<() => Promise<void>> {
    const holders = Array.from({ length: freeSlots }, () => postgres(small.url, { max: 1, fetch_types: false }));
    const release = async () => {
      await Promise.all(holders.map((holder) => holder.end({ timeout: 1 })));
    };
    cleanUps.push(release);
    // The server may release the slot of a closed connection a moment later.
    const take = (holder: postgres.Sql) => vi.waitFor(() => holder`select 1`, SOON);
    await Promise.all(holders.map(take));
    return release;
  }

  it("is used by a replica with its pool's number of connections at most, and one during migrations", async () => {
    const slow = {
      tag: '0000_slow',
      when: 1,
      sql: 'select pg_sleep(1);\n--> statement-breakpoint\ncreate table slow (id int);',
    };
    const folder = migrationsFolder([slow]);
    const opening = open({ migrationsFolder: folder, applicationName: 'replica', limits: { maxConnections: 3 } });
    await vi.waitFor(async () => expect(await small.connections()).toEqual(new Map([['replica migrations', 1]])), SOON);
    const { connection } = await opening;
    await connection.migrated;
    const seen: number[] = [];
    let done = false;
    const statements = Array.from({ length: 60 }, () => connection.db.execute(sql`select pg_sleep(0.02)`));
    const transactions = Array.from({ length: 20 }, () => connection.db.transaction((tx) => tx.execute(sql`select 1`)));
    const work = Promise.all([...statements, ...transactions]).finally(() => {
      done = true;
    });
    while (!done) seen.push((await small.connections()).get('replica') ?? 0);
    await work;
    expect(Math.max(...seen)).toBe(3);
  });

  it('closes the connections that are not needed while one is still used', async () => {
    const { connection } = await open({ applicationName: 'replica' });
    await Promise.all(Array.from({ length: 6 }, () => connection.db.execute(sql`select pg_sleep(0.2)`)));
    expect((await small.connections()).get('replica')).toBe(6);
    await vi.waitFor(async () => {
      await connection.db.execute(sql`select 1`);
      expect((await small.connections()).get('replica')).toBe(1);
    }, SOON);
  });

  it('has none free: statements and transactions wait, and run once when a slot is free', async () => {
    const { connection } = await open({ limits: { slotWaitMs: 15_000 } });
    await connection.migrated;
    await vi.waitFor(async () => expect(await small.connections()).toEqual(new Map()), SOON);
    const release = await takeAllSlots();
    const refused = vi.fn<() => void>();
    const insert = connection.db.insert(notes).values({ title: 'alone' });
    const transaction = connection.db.transaction(async (tx) => {
      refused();
      await tx.insert(notes).values({ title: 'in a transaction' });
    });
    const both = Promise.all([insert, transaction]);
    // The server has refused at most once by now.
    const { connection: witness } = await open({ limits: { slotWaitMs: 300 } });
    expect(isRefused(await errorOf(witness.db.execute(sql`select 1`)))).toBe(true);
    expect(refused).not.toHaveBeenCalled();
    await release();
    await both;
    expect(refused).toHaveBeenCalledTimes(1);
    const titles = await connection.db.select({ title: notes.title }).from(notes).orderBy(notes.title);
    expect(titles).toEqual([{ title: 'alone' }, { title: 'in a transaction' }]);
  });

  it('reports a refusal after the wait as a retryable error', async () => {
    const { connection } = await open({ limits: { slotWaitMs: 200 } });
    await connection.migrated;
    await vi.waitFor(async () => expect(await small.connections()).toEqual(new Map()), SOON);
    await takeAllSlots();
    for (const work of [
      () => connection.db.select().from(notes).execute(),
      () => connection.db.transaction((tx) => tx.execute(sql`select 1`)),
    ]) {
      const error = await errorOf(work());
      expect([isRefused(error), isConnectionError(error)]).toEqual([true, true]);
    }
  });

  it('starts a replica without a free slot: the cause is logged, and migrations run when a slot is free', async () => {
    const release = await takeAllSlots();
    const { connection, lines } = await open();
    await expect(connection.ping()).rejects.toThrow(/\(53300\)/);
    expect(lines.filter((line) => line.includes('has no free connection slot'))).toHaveLength(1);
    await release();
    await connection.migrated;
    await connection.ping();
  });

  it('gives its only connection to the migrations first, before queued statements', async () => {
    await small.admin.unsafe('alter role service connection limit 0');
    cleanUps.push(() => small.admin.unsafe('alter role service connection limit -1'));
    const { connection } = await open({ limits: { slotWaitMs: 50 } });
    let done = false;
    let failures = 0;
    const caller = async () => {
      while (!done) await connection.db.execute(sql`select 1`).catch(() => (failures += 1));
    };
    const callers = Array.from({ length: 10 }, caller);
    try {
      await vi.waitFor(() => expect(failures).toBeGreaterThan(20), SOON);
      await small.admin.unsafe('alter role service connection limit 1');
      await vi.waitFor(() => connection.ping(), SOON);
    } finally {
      done = true;
      await Promise.all(callers);
    }
  });
});
