import {
  canStartPgBouncer,
  canStartPostgres,
  type RealServer,
  type SmallPostgres,
  startPgBouncer,
  startSmallPostgres,
} from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { errorCodeOf, isConnectionError, isRefused } from '../../errors/sql-errors.js';
import { capturedLog } from '../captured-log.fixture.js';
import type { PostgresOptions } from '../database-options.js';
import { errorOf } from '../error-of.fixture.js';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import { openPostgres } from './open-postgres.js';

const SOON = { timeout: 20_000, interval: 50 };
const dropped = ['ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'];

describe.skipIf(!canStartPostgres || !canStartPgBouncer)('a pooler in transaction mode', () => {
  let small: SmallPostgres;
  let pooler: RealServer;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    small = await startSmallPostgres(12);
    const settings = ['server_login_retry = 1', 'query_wait_timeout = 1'];
    pooler = await startPgBouncer({ upstream: small.url, poolSize: 2, maxClients: 6, settings });
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  afterAll(async () => {
    await pooler.remove();
    await small.remove();
  });

  async function open(overrides: Partial<PostgresOptions<typeof schema>> = {}) {
    const { logger, lines } = capturedLog();
    const place = { url: pooler.url, directUrl: small.url, migrationsFolder: migrationsFolder([createNotes]) };
    const connection = await openPostgres({ ...place, schema, logger, ...overrides });
    cleanUps.push(() => connection.close());
    return { connection, lines };
  }

  it('is detected from the server: a service does not start on it alone, and the message names the variable', async () => {
    const alone = { directUrl: undefined };
    await expect(open(alone)).rejects.toThrow(/DATABASE_URL names a pooler.*DATABASE_DIRECT_URL must name/);
    const lossy = await startPgBouncer({ upstream: small.url, settings: dropped });
    cleanUps.push(() => lossy.remove());
    await expect(open({ ...alone, url: lossy.url })).rejects.toThrow(/DATABASE_URL names a pooler/);
    await expect(open({ directUrl: lossy.url })).rejects.toThrow(/DATABASE_DIRECT_URL names a pooler/);
  });

  it('of another database than the direct address is refused at the start, and both databases are named', async () => {
    const other = new URL(small.url);
    other.pathname = '/template1';
    await expect(open({ directUrl: other.href })).rejects.toThrow(
      /DATABASE_URL leads to the database \w+, DATABASE_DIRECT_URL to template1: both must/,
    );
  });

  it('applies the limits of every statement, and leaves none of them on the shared connection', async () => {
    const { connection } = await open({ limits: { statementTimeoutMs: 300 } });
    const { db } = connection;
    const requested = sql`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const limited = [{ statement: '300ms', idle: '300ms' }];
    expect(await db.execute(requested)).toEqual(limited);
    expect(await db.transaction((tx) => tx.execute(requested))).toEqual(limited);
    expect(await db.transaction((tx) => tx.transaction((inner) => inner.execute(requested)))).toEqual(limited);
    const late = async (work: PromiseLike<unknown>) => errorCodeOf(await errorOf(work));
    expect(await late(db.execute(sql`select pg_sleep(20)`))).toBe('57014');
    expect(await late(db.transaction((tx) => tx.execute(sql`select pg_sleep(20)`)))).toBe('57014');
    const { connection: other } = await open({ limits: { statementTimeoutMs: 700 } });
    expect(await other.db.execute(requested)).toEqual([{ statement: '700ms', idle: '700ms' }]);
  });

  it('gets its connection back from a statement that fails, or has invalid settings', async () => {
    const { connection } = await open({ limits: { maxConnections: 1 } });
    await connection.db.delete(notes);
    await connection.db.insert(notes).values({ title: 'same' });
    for (let time = 0; time < 5; time++) {
      expect(errorCodeOf(await errorOf(connection.db.insert(notes).values({ title: 'same' })))).toBe('23505');
      expect(errorCodeOf(await errorOf(connection.db.execute(sql`select no_such_column`)))).toBe('42703');
    }
    const { connection: wrong } = await open({ limits: { maxConnections: 1, statementTimeoutMs: -5 } });
    expect(errorCodeOf(await errorOf(wrong.db.insert(notes).values({ title: 'never' })))).toBe('22023');
    expect(await connection.db.select({ title: notes.title }).from(notes)).toEqual([{ title: 'same' }]);
  });

  it('serves more clients than it has connections, each transaction whole', async () => {
    const { connection } = await open({ limits: { maxConnections: 5 } });
    await connection.db.delete(notes);
    const add = (index: number) =>
      connection.db.transaction(async (tx) => {
        await tx.insert(notes).values({ title: `note ${index}` });
        const [row] = await tx.select({ count: sql<number>`count(*)::int` }).from(notes);
        if (index % 3 === 0) throw new Error(`undone, of ${row?.count}`);
      });
    await Promise.allSettled(Array.from({ length: 60 }, (_, index) => add(index)));
    expect(await connection.db.$count(notes)).toBe(40);
    const held = await small.connections();
    expect(held.get('mlango')).toBeLessThanOrEqual(2);
  });

  it('is retried within the wait while it accepts no more clients', async () => {
    const { connection } = await open({ limits: { slotWaitMs: 15_000 } });
    const { connection: crowd } = await open({ limits: { maxConnections: 6, slotWaitMs: 100 } });
    await connection.migrated;
    await crowd.migrated;
    const busy = Promise.all(Array.from({ length: 6 }, () => crowd.db.execute(sql`select pg_sleep(0.3)`)));
    await connection.db.execute(sql`select 1`);
    await busy;
  });

  it('is retried within the wait while its server has no slot, and the error after the wait names the cause', async () => {
    const { connection } = await open({ limits: { slotWaitMs: 15_000 } });
    const { connection: hasty } = await open({ limits: { slotWaitMs: 100 } });
    await Promise.all([connection.migrated, hasty.migrated]);
    await pooler.restart();
    await small.admin.unsafe('alter role service connection limit 0');
    try {
      expect(isRefused(await errorOf(hasty.db.execute(sql`select 1`)))).toBe(true);
      const waiting = connection.db.execute(sql`select 1 as one`);
      expect(isRefused(await errorOf(hasty.db.transaction((tx) => tx.execute(sql`select 1`))))).toBe(true);
      await small.admin.unsafe('alter role service connection limit -1');
      expect(await waiting).toEqual([{ one: 1 }]);
    } finally {
      await small.admin.unsafe('alter role service connection limit -1');
    }
  });

  it('that is restarted under load fails callers with connection errors only, and then serves all of them', async () => {
    const { connection } = await open({ limits: { maxConnections: 5 } });
    const { db } = connection;
    const errors: unknown[] = [];
    let served = 0;
    let running = true;
    const caller = async (index: number): Promise<void> => {
      while (running) {
        const work = index % 2 === 0 ? db.execute(sql`select 1`) : db.transaction((tx) => tx.execute(sql`select 1`));
        await Promise.resolve(work).then(
          () => {
            served += 1;
          },
          (error: unknown) => {
            errors.push(error);
          },
        );
      }
    };
    const callers = Array.from({ length: 12 }, (_, index) => caller(index));
    for (const restart of [() => pooler.restart(), () => pooler.kill().then(() => pooler.restart())]) {
      const before = served;
      await vi.waitFor(() => expect(served).toBeGreaterThan(before + 50), SOON);
      await restart();
      const after = served;
      await vi.waitFor(() => expect(served).toBeGreaterThan(after + 50), SOON);
    }
    running = false;
    await Promise.all(callers);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((error) => !isConnectionError(error))).toEqual([]);
    await connection.ping();
  });
});
