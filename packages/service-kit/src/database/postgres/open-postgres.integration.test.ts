import { canStartPostgres, type RealServer, startPostgres } from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isConnectionError } from '../../errors/sql-errors.js';
import { capturedLog } from '../captured-log.fixture.js';
import type { PostgresOptions } from '../database-options.js';
import { errorOf } from '../error-of.fixture.js';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import type { DatabaseConnection } from '../sql-database.js';
import { openPostgres } from './open-postgres.js';

const SOON = { timeout: 15_000, interval: 50 };

const opened: DatabaseConnection<typeof schema>[] = [];
async function open(url: string, overrides: Partial<PostgresOptions<typeof schema>> = {}) {
  const log = capturedLog();
  const folder = migrationsFolder([createNotes]);
  const connection = await openPostgres({ url, schema, migrationsFolder: folder, logger: log.logger, ...overrides });
  opened.push(connection);
  return { connection, lines: log.lines };
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
});

describe.skipIf(!canStartPostgres)('a connection to a Postgres server that fails', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(() => server.restart());
  afterAll(() => server.remove());

  it('opens while the server is down, reports it in its ping, and migrates once the server is up', async () => {
    await server.kill();
    const { connection, lines } = await open(server.url);
    await expect(connection.ping()).rejects.toThrow(/wait for the database \(ECONNREFUSED\)/);
    expect(isConnectionError(await errorOf(connection.db.select().from(notes)))).toBe(true);
    await server.restart();
    await connection.migrated;
    await connection.ping();
    expect(await connection.db.select().from(notes)).toEqual([]);
    expect(lines.filter((line) => line.includes('migrations wait'))).toHaveLength(1);
  });

  it('ends a brief statement after a second, and gives others their full time', async () => {
    const { connection } = await open(server.url);
    await connection.migrated;
    const slept = (seconds: number) => sql<number>`(select 1 from pg_sleep(${seconds}))`;
    for (const brief of [connection.brief, connection.briefPrimary]) {
      const cut = brief.select({ slept: slept(10) }).from(sql`(values (1)) as one`);
      expect(await errorOf(cut)).toMatchObject({ cause: { code: '57014' } });
    }
    expect(await connection.stale.select({ slept: slept(1.5) }).from(sql`(values (1)) as one`)).toHaveLength(1);
    expect(await connection.brief.select({ slept: slept(0) }).from(sql`(values (1)) as one`)).toHaveLength(1);
  });

  it('fails a statement in flight with a connection error when the server is killed, and works again afterwards', async () => {
    const { connection } = await open(server.url);
    await connection.migrated;
    const inFlight = errorOf(connection.db.execute(sql`select pg_sleep(60)`));
    const inTransaction = errorOf(
      connection.db.transaction(async (tx) => {
        await tx.insert(notes).values({ title: 'never' });
        await tx.execute(sql`select pg_sleep(60)`);
      }),
    );
    await vi.waitFor(async () => {
      const busy = sql`select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`;
      const rows = (await connection.db.execute(busy)) as unknown[];
      expect(rows).toHaveLength(2);
    }, SOON);
    await server.kill();
    expect(isConnectionError(await inFlight)).toBe(true);
    expect(isConnectionError(await inTransaction)).toBe(true);
    expect(isConnectionError(await errorOf(connection.ping()))).toBe(true);
    await server.restart();
    await vi.waitFor(() => connection.ping(), SOON);
    expect(await connection.db.select().from(notes)).toEqual([]);
  });

  it('logs the server on connect, on loss and on reconnect', async () => {
    const { connection, lines } = await open(server.url);
    await connection.migrated;
    await connection.ping();
    const { host, pathname } = new URL(server.url);
    const written = () =>
      lines.map((line) => JSON.parse(line)).filter(({ msg }: { msg: string }) => msg.startsWith('Postgres is'));
    const which = { database: `${host}${pathname}`, tls: false, pooler: false };
    expect(written()).toMatchObject([{ level: 30, msg: 'Postgres is connected', ...which }]);
    await server.kill();
    for (let ping = 0; ping < 3; ping++) await errorOf(connection.ping());
    expect(written().slice(1)).toMatchObject([{ level: 40, reason: expect.any(String), ...which }]);
    await server.restart();
    await vi.waitFor(() => connection.ping(), SOON);
    expect(written().slice(2)).toMatchObject([{ level: 30, msg: 'Postgres is available again', ...which }]);
  });

  it('closes while the server is down', async () => {
    const { connection } = await open(server.url);
    await server.kill();
    await connection.close();
    await expect(connection.ping()).rejects.toThrow(/closed/);
  });

  it('stops waiting for migrations when closed', async () => {
    await server.kill();
    const { connection } = await open(server.url);
    await connection.close();
    await expect(connection.migrated).rejects.toThrow(/closed before its migrations/);
  });

  it('reports a failing migration once, not as an outage, and rolls it back', async () => {
    const broken = migrationsFolder([
      {
        tag: '0000_broken',
        when: 1,
        sql: 'create table half (id int);\n--> statement-breakpoint\nselect from nowhere;',
      },
    ]);
    const { connection, lines } = await open(server.url, { migrationsFolder: broken });
    await expect(connection.ping()).rejects.toThrow(/migration fails: relation "nowhere" does not exist/);
    const half = sql`select 1 from pg_tables where tablename = 'half'`;
    expect(await connection.db.execute(half)).toHaveLength(0);
    expect(lines.filter((line) => line.includes('"level":50'))).toHaveLength(1);
  });

  it('never reveals the password in logs or errors', async () => {
    await server.kill();
    const { password } = new URL(server.url);
    const { connection, lines } = await open(server.url);
    const error = await errorOf(connection.ping());
    expect(lines.join('')).toContain('127.0.0.1');
    expect(lines.join('') + String(error)).not.toContain(password);
    const malformed = await errorOf(open(`postgres://user:${password}@host:notaport/db`));
    expect(String(malformed)).not.toContain(password);
  });
});
