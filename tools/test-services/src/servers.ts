import { findPgBouncer, findPostgres, findRedisServer } from './find-binaries.js';
import { launchPgBouncer, type PgBouncerOptions } from './pgbouncer-server.js';
import { launchPostgresPair, type PostgresPair } from './postgres-pair.js';
import { launchPostgres, type PostgresServer, type PostgresServerOptions } from './postgres-server.js';
import type { RealServer } from './real-server.js';
import { launchRedisCluster, type RedisCluster, type RedisClusterOptions } from './redis-cluster.js';
import { launchRedisSentinels, type RedisSentinels } from './redis-sentinels.js';
import { launchRedis, type RedisOptions, type RedisServer, type TlsFiles } from './redis-server.js';
import { realServicesRequired } from './required.js';
import { launchSmallPostgres, type SmallPostgres } from './small-postgres.js';

export { freePort } from './free-port.js';
export type { PgBouncerOptions } from './pgbouncer-server.js';
export type { PostgresPair } from './postgres-pair.js';
export type { PostgresServer, PostgresServerOptions } from './postgres-server.js';
export type { RealServer } from './real-server.js';
export type { RedisCluster, RedisClusterOptions } from './redis-cluster.js';
export type { RedisSentinels } from './redis-sentinels.js';
export type { RedisOptions, RedisServer, TlsFiles } from './redis-server.js';
export type { SmallPostgres } from './small-postgres.js';

/** Whether `startRedis()` can work here: for `describe.skipIf`. True where real services are required, so nothing is skipped. */
export const canStartRedis: boolean = realServicesRequired() || findRedisServer() !== undefined;

/** Whether `startPostgres()` can work here: for `describe.skipIf`. True where real services are required. */
export const canStartPostgres: boolean = realServicesRequired() || findPostgres() !== undefined;

/** Whether `startPgBouncer()` can work here: for `describe.skipIf`. True where real services are required. */
export const canStartPgBouncer: boolean = realServicesRequired() || findPgBouncer() !== undefined;

/** A Redis server that belongs to one test file: it may be killed, frozen and restarted. Ready when this resolves. */
export function startRedis(options?: RedisOptions): Promise<RedisServer> {
  return launchRedis(options);
}

/** A cluster that belongs to one test file: its masters may be killed. Ready when this resolves. */
export function startRedisCluster(options?: RedisClusterOptions): Promise<RedisCluster> {
  return launchRedisCluster(options);
}

/** A primary, a replica and sentinels that belong to one test file: each may be killed. Ready when this resolves. */
export function startRedisSentinels(downAfterMs?: number, tls?: TlsFiles): Promise<RedisSentinels> {
  return launchRedisSentinels(downAfterMs, tls);
}

/** A Postgres server that belongs to one test file: it may be killed and restarted. Ready when this resolves. */
export function startPostgres(options?: PostgresServerOptions): Promise<PostgresServer> {
  return launchPostgres(options);
}

/** A Postgres with a hot standby that belong to one test file: either may be killed, and the standby promoted. Ready when this resolves. */
export function startPostgresPair(): Promise<PostgresPair> {
  return launchPostgresPair();
}

/** A Postgres server of one test file's own with so few connections that they run out. Ready when this resolves. */
export function startSmallPostgres(maxConnections: number): Promise<SmallPostgres> {
  return launchSmallPostgres(maxConnections);
}

/** A PgBouncer in front of one Postgres that belongs to one test file: it may be killed and restarted. Ready when this resolves. */
export function startPgBouncer(options: PgBouncerOptions): Promise<RealServer> {
  return launchPgBouncer(options);
}
