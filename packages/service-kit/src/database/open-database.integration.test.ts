import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { canStartPgBouncer, type RealServer, startPgBouncer } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeDatabase } from './database.contract.js';

describeDatabase('the embedded database in memory', { keeps: false, shared: false }, async () => ({
  dataDir: 'memory://',
  remove: async () => {},
}));

describeDatabase('the embedded database on disk', { keeps: true, shared: false }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mlango-test-data-'));
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
});

describe.skipIf(postgresUrl === undefined)('a Postgres server', () => {
  describeDatabase('the shared one', { keeps: true, shared: true }, async () => {
    const { url, drop } = await freshDatabase();
    return { url, dataDir: '/nonexistent', remove: drop };
  });
});

describe.skipIf(postgresUrl === undefined || !canStartPgBouncer)('a Postgres server behind a pooler', () => {
  let pooler: RealServer;
  beforeAll(async () => {
    pooler = await startPgBouncer({ upstream: postgresUrl ?? '', poolSize: 3 });
  });
  afterAll(() => pooler.remove());

  describeDatabase('PgBouncer in transaction mode', { keeps: true, shared: true }, async () => {
    const { url: directUrl, drop } = await freshDatabase();
    const url = new URL(pooler.url);
    url.pathname = new URL(directUrl).pathname;
    return { url: url.href, directUrl, dataDir: '/nonexistent', remove: drop };
  });
});
