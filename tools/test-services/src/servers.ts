import { findPostgres, findRedisServer } from './find-binaries.js';
import { launchPostgres } from './postgres-server.js';
import type { RealServer } from './real-server.js';
import { launchRedis, type RedisOptions, type RedisServer } from './redis-server.js';
import { realServicesRequired } from './required.js';

export type { RealServer } from './real-server.js';
export type { RedisOptions, RedisServer } from './redis-server.js';

/** Whether `startRedis()` can work here: for `describe.skipIf`. True where real services are required, so nothing is skipped. */
export const canStartRedis: boolean = realServicesRequired() || findRedisServer() !== undefined;

/** Whether `startPostgres()` can work here: for `describe.skipIf`. True where real services are required. */
export const canStartPostgres: boolean = realServicesRequired() || findPostgres() !== undefined;

/** A Redis server that belongs to one test file: it may be killed, frozen and restarted. Ready when this resolves. */
export function startRedis(options?: RedisOptions): Promise<RedisServer> {
  return launchRedis(options);
}

/** A Postgres server that belongs to one test file: it may be killed and restarted. Ready when this resolves. */
export function startPostgres(): Promise<RealServer> {
  return launchPostgres();
}
