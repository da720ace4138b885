import { readFileSync } from 'node:fs';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { canStartPgBouncer, type RealServer, startPgBouncer } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeDatabase } from './database.contract.js';

describe.skipIf(postgresUrl === undefined)('a Postgres server', () => {
  describeDatabase('the shared one', { isPersistent: true, shared: true }, async () => {
    const { url, drop } = await freshDatabase();
    return { url, dataDir: '/nonexistent', remove: drop };
  });
});

/** The settings of an installation, except those of its network, its list of users and its size. */
const shippedSettings = readFileSync(new URL('../../../../deploy/pgbouncer/pgbouncer.ini', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^(?!listen_|auth_file|default_pool_size)\w+ =/.test(line));

describe.skipIf(postgresUrl === undefined || !canStartPgBouncer)('a Postgres server behind a pooler', () => {
  let pooler: RealServer;
  beforeAll(async () => {
    pooler = await startPgBouncer({ upstream: postgresUrl ?? '', poolSize: 3, settings: shippedSettings });
  });
  afterAll(() => pooler.remove());

  describeDatabase('PgBouncer in transaction mode', { isPersistent: true, shared: true }, async () => {
    const { url: directUrl, drop } = await freshDatabase();
    const url = new URL(pooler.url);
    url.pathname = new URL(directUrl).pathname;
    return { url: url.href, directUrl, dataDir: '/nonexistent', remove: drop };
  });
});
