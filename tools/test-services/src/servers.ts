// Servers that belong to one test file: each may be killed, frozen and restarted, and is ready when its promise resolves.
import { findPgBouncer, findPostgres, findRedisServer } from './find-binaries.js';
import { realServicesRequired } from './required.js';

export { freePort } from './free-port.js';
export { launchPgBouncer as startPgBouncer, type PgBouncerOptions } from './pgbouncer-server.js';
export { launchPostgresPair as startPostgresPair, type PostgresPair } from './postgres-pair.js';
export {
  launchPostgres as startPostgres,
  type PostgresServer,
  type PostgresServerOptions,
} from './postgres-server.js';
export type { RealServer } from './real-server.js';
export {
  launchRedisCluster as startRedisCluster,
  type RedisCluster,
  type RedisClusterOptions,
} from './redis-cluster.js';
export { launchRedisSentinels as startRedisSentinels, type RedisSentinels } from './redis-sentinels.js';
export { launchRedis as startRedis, type RedisOptions, type RedisServer, type TlsFiles } from './redis-server.js';
export { launchSmallPostgres as startSmallPostgres, type SmallPostgres } from './small-postgres.js';

// For `describe.skipIf`. Always true if real services are required, so that no test is skipped.
export const canStartRedis: boolean = realServicesRequired() || findRedisServer() !== undefined;
export const canStartPostgres: boolean = realServicesRequired() || findPostgres() !== undefined;
export const canStartPgBouncer: boolean = realServicesRequired() || findPgBouncer() !== undefined;
