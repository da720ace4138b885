import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type Placement, startAnnouncedChild, startChild } from '../child-process.js';
import { startOwnPostgres } from '../own-postgres.js';
import { startOwnRedis } from '../own-redis.js';
import { freePort } from '../own-server.js';
import { unlimited } from '../unlimited.js';

const root = new URL('../../../', import.meta.url);

/** A service as it was built, that refuses nothing. */
export async function startService(
  name: 'ussd-gateway' | 'oracle-api' | 'proto-gateway',
  env: Readonly<Record<string, string>>,
  placement: Placement,
): Promise<Child> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), `bench-${name}-`));
  return startChild(fileURLToPath(new URL(`services/${name}/dist/main.js`, root)), {
    ...placement,
    port,
    healthPath: '/health',
    env: { ...unlimited, PORT: String(port), DATA_DIR: dataDir, ...env },
  });
}

/** A chain node that answers by itself. */
export async function startNode(): Promise<Child> {
  const port = await freePort();
  const env = { MOCK_NODE_PORT: String(port) };
  return startChild(fileURLToPath(new URL('deploy/mock-node/dist/main.js', root)), { port, env });
}

/** A node that answers what another answered once, at next to no cost: so the other side of a load is no part of what is measured. */
export function startPreparedNode(node: Child): Promise<Child> {
  const file = fileURLToPath(new URL('../prepared-node/main.js', import.meta.url));
  return startAnnouncedChild(file, { NODE_TARGET: new URL(node.url).host });
}

export type Stores = Readonly<Record<'REDIS_URL' | 'DATABASE_URL', string>>;

/** A Redis and a Postgres of this run. Throws where the machine has none. */
export async function startStores(): Promise<Stores & { stop(): Promise<void> }> {
  const [redis, postgres] = await Promise.all([startOwnRedis(), startOwnPostgres()]);
  if (redis === undefined || postgres === undefined)
    throw new Error('this needs a Redis and a Postgres on the machine');
  return {
    REDIS_URL: redis.url,
    DATABASE_URL: postgres.url,
    stop: async () => {
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  };
}
