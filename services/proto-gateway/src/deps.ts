import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { EnvError } from '@mlango/service-kit/env';
import type { Logger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { trustedProxies } from '@mlango/service-kit/proxies';
import {
  memoryRateLimitStore,
  type RateLimitStore,
  redisRateLimitStore,
  withLocalCeiling,
} from '@mlango/service-kit/rate-limit';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { startTracing } from '@mlango/service-kit/tracing';
import type { AppDeps } from './app.js';
import { readDescriptorImage } from './catalog/descriptor-image.js';
import { PATHS_OVER_TIME } from './catalog/paths-over-time.js';
import { buildRouteTable, RouteTableError } from './catalog/route-table.js';
import type { Config } from './config.js';
import { openAccess } from './open-access.js';
import { grpcChainNode } from './upstream/grpc-chain-node.js';
import { nodePool } from './upstream/node-pool.js';
import { nodeReadiness } from './upstream/node-readiness.js';

export interface Deps extends AppDeps {
  close(): Promise<void>;
}

const SERVICE = 'proto-gateway';
const NODE_CHECK_TIMEOUT_MS = 900;
const RATE_WINDOW_MS = 60_000;
const CACHE_LIMIT_BYTES = 64 * 1024 * 1024;
const DEFAULT_PAGE_LIMIT = 100n;

/** What is served, as the descriptors and the configuration say. */
export type Catalog = Pick<AppDeps, 'registry' | 'table' | 'prefixes'>;

/** @throws {EnvError} when the descriptors cannot be served, naming the variable to look at */
export function openCatalog(config: Config): Catalog {
  const prefixes = { current: config.PROTO_PREFIX, legacy: config.PROTO_LEGACY_PREFIXES };
  try {
    const registry = readDescriptorImage(readImage(config.PROTO_DESCRIPTOR_SET));
    return {
      registry,
      prefixes,
      table: buildRouteTable(registry, {
        prefixes,
        disabled: config.PROTO_DISABLED_METHODS,
        ...(config.PROTO_LEGACY_ROUTES === 'on' ? { legacyPaths: PATHS_OVER_TIME } : {}),
      }),
    };
  } catch (error) {
    const isTypo = error instanceof RouteTableError && error.unknownMethods.length > 0;
    const variable = isTypo ? 'PROTO_DISABLED_METHODS' : 'PROTO_DESCRIPTOR_SET';
    throw new EnvError([{ variable, message: error instanceof Error ? error.message : String(error) }]);
  }
}

/** Builds every adapter the configuration asks for. Nodes and Redis may be away: they are connected to when there. */
export async function openDeps(config: Config, catalog: Catalog, version: string, logger: Logger): Promise<Deps> {
  const [first, ...more] = config.GRPC_TARGETS.map((target) =>
    grpcChainNode({
      target,
      maxReceiveBytes: config.GRPC_MAX_RECEIVE_BYTES,
      onAway: (isAway) => {
        if (isAway) logger.warn({ target }, 'the chain node is away');
        else logger.info({ target }, 'the chain node is back');
      },
    }),
  );
  if (first === undefined) throw new Error('GRPC_TARGETS names no node');
  const now = (): number => performance.now();
  const node = nodePool([first, ...more], now);
  const tracing = await startTracing({ service: SERVICE, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const redis =
    config.REDIS_URL === undefined
      ? undefined
      : await openRedis({ url: config.REDIS_URL, logger, connectionName: SERVICE });
  const { access, close: closeAccess } = openAccess(config, redis?.client);
  return {
    version,
    logger,
    ...catalog,
    node,
    readiness: nodeReadiness(node, NODE_CHECK_TIMEOUT_MS),
    metrics: createMetrics({ service: SERVICE, version }),
    metricsAccess: { token: config.METRICS_TOKEN, open: config.NODE_ENV !== 'production' },
    unknownQuery: config.PROTO_UNKNOWN_QUERY,
    pages: { defaultLimit: DEFAULT_PAGE_LIMIT, maxLimit: BigInt(config.PROTO_MAX_PAGE_LIMIT) },
    defaultTimeoutMs: config.GRPC_DEADLINE_MS,
    now,
    ...(config.PROTO_CACHE_TTL_MS === 0
      ? {}
      : { cache: { ttlMs: config.PROTO_CACHE_TTL_MS, limitBytes: CACHE_LIMIT_BYTES } }),
    trustProxy: trustedProxies(config),
    rateLimit: { max: config.RATE_LIMIT_MAX, windowMs: RATE_WINDOW_MS, store: rateLimitStore(redis, logger) },
    access,
    corsOrigins: config.CORS_ORIGINS,
    tracing: tracing.plugin,
    async close() {
      await closeAccess();
      await redis?.close();
      await tracing.shutdown();
      node.close();
    },
  };
}

/** The image of this build lies beside the generated code of the proto package. */
function readImage(file: string | undefined): Uint8Array {
  return readFileSync(file ?? createRequire(import.meta.url).resolve('@mlango/proto/descriptor.binpb'));
}

/** Limits of this process, shared with other replicas while Redis is there. */
function rateLimitStore(redis: RedisConnection | undefined, logger: Logger): RateLimitStore {
  const local = memoryRateLimitStore();
  if (redis === undefined) return local;
  return withLocalCeiling(redisRateLimitStore(redis.client, { service: SERVICE }), local, logger);
}
