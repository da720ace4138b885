import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database/index.js';
import { createNotes, migrationsFolder, notes, schema } from '../database/migrations/migrations.fixture.js';
import { openRedis } from '../redis/index.js';
import { startCollector, tracedProcess } from './traced-app.fixture.js';

/** Spans within a request with this work as its handler, in the order in which they ended. */
async function spansOf(
  open: (logger: Awaited<ReturnType<typeof tracedProcess>>['logger']) => Promise<() => Promise<unknown>>,
) {
  const collector = await startCollector();
  const { app, tracing, logger } = await tracedProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const work = await open(logger);
  // Outside a request, so without a parent.
  await work();
  app.get('/work', async () => {
    await work();
    return 'done';
  });
  expect((await app.inject('/work')).body).toBe('done');
  await app.close();
  await tracing.shutdown();
  const spans = collector.spans();
  const request = spans.find(({ name }) => name === 'GET /work');
  expect(spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)).toHaveLength(spans.length - 1);
  expect(collector.received.join()).not.toContain('S3CRET');
  return spans.filter((span) => span !== request);
}

describe.skipIf(redisUrl === undefined)('commands to Redis within a request', () => {
  it('are a span each, without keys and values, with the cause of failures', async () => {
    const { url, drop } = await freshRedis();
    onTestFinished(drop);
    const spans = await spansOf(async (logger) => {
      const { client, close } = await openRedis({ url, logger, connectionName: 'test' });
      onTestFinished(close);
      return async () => {
        await client.set('S3CRET1', 'S3CRET2');
        await client.incr('S3CRET1').catch(() => {});
      };
    });
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['SET', 3],
      ['INCR', 3],
    ]);
    const { hostname, port, pathname } = new URL(url);
    expect(spans[0]?.facts).toEqual({
      'db.system.name': 'redis',
      'db.operation.name': 'SET',
      'db.namespace': pathname.slice(1) || '0',
      'server.address': hostname,
      'server.port': Number(port),
    });
    expect(spans[1]).toMatchObject({ status: { code: 2 }, facts: { 'error.type': 'ERR' } });
  });
});

describe.skipIf(postgresUrl === undefined)('statements to Postgres within a request', () => {
  it('are a span each, including the begin and end of a transaction, without parameters, with the cause of failures', async () => {
    const { url, drop } = await freshDatabase();
    onTestFinished(drop);
    const spans = await spansOf(async (logger) => {
      const migrations = migrationsFolder([createNotes]);
      const { db, migrated, close } = await openDatabase({
        url,
        dataDir: '',
        schema,
        migrationsFolder: migrations,
        logger,
      });
      onTestFinished(close);
      await migrated;
      return async () => {
        await db.transaction((tx) => tx.insert(notes).values({ title: `S3CRET ${Math.random()}` }));
        await db.select({ id: notes.id }).from(notes);
        await db.execute(sql.raw("select 'S3CRET' from nowhere")).catch(() => {});
      };
    });
    const { hostname, port, pathname } = new URL(url);
    expect(spans.map(({ name }) => name)).toEqual([
      'BEGIN',
      'INSERT notes',
      'COMMIT',
      'SELECT notes',
      'SELECT nowhere',
    ]);
    expect(spans[3]).toMatchObject({ kind: 3, status: { code: 0 } });
    expect(spans[3]?.facts).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.namespace': pathname.slice(1),
      'db.query.summary': 'SELECT notes',
      'db.query.text': 'select "id" from "notes"',
      'server.address': hostname,
      'server.port': Number(port),
    });
    expect(spans[4]).toMatchObject({
      status: { code: 2 },
      facts: { 'error.type': '42P01', 'db.query.text': 'select ? from nowhere' },
    });
  });
});
