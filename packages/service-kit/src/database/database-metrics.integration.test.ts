import { setImmediate as nextTurn } from 'node:timers/promises';
import { canStartPostgres, type RealServer, startPostgres } from '@mlango/test-services/servers';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../metrics/metrics.js';
import { databaseMetrics } from './database-metrics.js';
import { createNotes, migrationsFolder, schema } from './migrations/migrations.fixture.js';
import { openPostgres } from './postgres/open-postgres.js';

describe.skipIf(!canStartPostgres)('the metrics of a pool', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it('show waiting statements, their duration and a database outage', async () => {
    const connection = await openPostgres({
      url: server.url,
      schema,
      migrationsFolder: migrationsFolder([createNotes]),
      logger: pino({ level: 'silent' }),
      limits: { maxConnections: 2 },
    });
    await connection.migrated;
    const metrics = createMetrics({ service: 'test', version: '0' });
    databaseMetrics(metrics, connection);
    const figure = async (name: string) =>
      Number(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(await metrics.registry.metrics())?.[1]);

    const { db } = connection;
    const before = await figure('database_statements_total');
    const held = Array.from({ length: 5 }, () => db.execute(sql`select pg_sleep(0.3)`));
    // Drizzle runs a statement once it is awaited.
    const done = Promise.all(held);
    await nextTurn();
    expect(await figure('database_statements_under_way')).toBeGreaterThanOrEqual(5);
    expect(await figure('database_connections_max')).toBe(2);
    await done;
    expect(await figure('database_statements_under_way')).toBeLessThanOrEqual(1);
    expect((await figure('database_statements_total')) - before).toBeGreaterThanOrEqual(5);
    expect(await figure('database_statement_seconds_total')).toBeGreaterThan(1.5);
    expect(await figure('database_slots_refused_total')).toBe(0);

    expect(await figure('database_up')).toBe(1);
    // An exhausted pool is not an outage of the database.
    const busy = Promise.all(Array.from({ length: 4 }, () => db.execute(sql`select pg_sleep(1.5)`)));
    await nextTurn();
    expect(await figure('database_up')).toBe(1);
    await busy;
    await server.kill();
    await vi.waitFor(async () => expect(await figure('database_up')).toBe(0), { timeout: 10_000 });
    await connection.close();
  });
});
