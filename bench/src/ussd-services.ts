import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child-process.js';
import type { Target } from './load-lines.js';
import { startOwnPostgres } from './own-postgres.js';
import { startOwnRedis } from './own-redis.js';
import { freePort } from './own-server.js';

const main = fileURLToPath(new URL('../../services/ussd-gateway/dist/main.js', import.meta.url));

export interface UssdServices {
  /** Sessions in the process itself. */
  readonly inMemory: Target;
  /** Sessions in Redis; undefined where there is no Redis on this machine. */
  readonly onRedis: Target | undefined;
  /** What holds the accounts. */
  readonly database: 'Postgres' | 'PGlite';
  stop(): Promise<void>;
}

/**
 * The service twice, on servers of this run's own. Without Postgres accounts are in the embedded database.
 *
 * @param shared environment of both
 */
export async function startUssdServices(shared: Readonly<Record<string, string>> = {}): Promise<UssdServices> {
  const data = mkdtempSync(join(tmpdir(), 'bench-ussd-'));
  const [redis, postgres] = await Promise.all([startOwnRedis(), startOwnPostgres()]);
  const start = async (name: string, env: Record<string, string>) => {
    const port = await freePort();
    const database = postgres === undefined ? {} : { DATABASE_URL: postgres.url };
    const limits = { RATE_LIMIT_MAX: '1000000', PIN_ENCRYPTION_KEY: 'ab'.repeat(32) };
    const own = { PORT: String(port), DATA_DIR: join(data, name) };
    return startChild(main, {
      port,
      healthPath: '/health',
      env: { ...own, ...limits, ...database, ...shared, ...env },
    });
  };
  const started: Child[] = [];
  const stop = async () => {
    await Promise.all(started.map((child) => child.stop()));
    await Promise.all([redis?.stop(), postgres?.stop()]);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const inMemory = await start('memory', {});
    started.push(inMemory);
    const onRedis = redis === undefined ? undefined : await start('redis', { REDIS_URL: redis.url });
    if (onRedis !== undefined) started.push(onRedis);
    return { inMemory, onRedis, database: postgres === undefined ? 'PGlite' : 'Postgres', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
