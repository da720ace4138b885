import { performance } from 'node:perf_hooks';
import { FairSemaphore, semaphoreMetrics } from '@mlango/service-kit/async';
import { mostPerAddress } from '@mlango/service-kit/env';
import type { Logger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { trustedProxies } from '@mlango/service-kit/proxies';
import { allowance, serviceRateLimitStore } from '@mlango/service-kit/rate-limit';
import { openRedis, type RedisConnection, redisWritableGauge, redisWrites } from '@mlango/service-kit/redis';
import { startTracing } from '@mlango/service-kit/tracing';
import { lookupPools } from '@mlango/ucan-auth/did-resolver';
import { openAccess } from './access/open-access.js';
import type { AppDeps } from './app.js';
import { redisReplyStore } from './cache/redis-reply-store.js';
import { readExamples } from './catalog/openapi/examples.js';
import type { Config } from './config.js';
import { catalogCheck, followCatalog, type KnownCatalog } from './deps/open-catalog.js';
import { openNode } from './deps/open-node.js';
import { ReplyBytes } from './nodes/byte-budget.js';
import { nodeReadiness } from './nodes/health.js';

export interface Deps extends AppDeps {
  close(): Promise<void>;
}

const SERVICE = 'proto-gateway';
const NODE_CHECK_TIMEOUT_MS = 900;
/** Maximum time without progress of a reader with pending bytes. */
const STALLED_READER_MS = 30_000;
const WATCH = { heartbeatMs: 15_000, authorisationMs: 5000 };
const RATE_WINDOW_MS = 60_000;
/** Per issuer, and per address for all its callers. */
const REVOCATIONS_PER_MINUTE = { ofIssuer: 30, ofAddress: 300 };
const CACHE_LIMIT_BYTES = 64 * 1024 * 1024;
const SHARED_REPLIES_MS = 150;

/** Builds the adapters of the configuration. Nodes and Redis may be unavailable: connections are retried. */
export async function openDeps(config: Config, known: KnownCatalog, version: string, logger: Logger): Promise<Deps> {
  const now = (): number => performance.now();
  const metrics = createMetrics({ service: SERVICE, version });
  const pools = sharedPools(config);
  semaphoreMetrics(metrics, Object.values(pools));
  const replyBytes = new ReplyBytes(pools.replyBytes);
  const node = openNode(config, metrics, logger, { replyBytes, calls: pools.nodeCalls });
  const tracing = await startTracing({ service: SERVICE, version, logger, config });
  const redis =
    config.REDIS_URL === undefined
      ? undefined
      : await openRedis({ url: config.REDIS_URL, ca: config.REDIS_CA, logger, connectionName: SERVICE });
  const repliesRedis = await openRepliesRedis(config, logger);
  if (redis !== undefined) redisWritableGauge(metrics, redisWrites(redis.client, SERVICE));
  const catalog = followCatalog(known, node, logger);
  const store = serviceRateLimitStore(redis, SERVICE, logger);
  const perMinute = (name: string, max: number) => allowance({ store, name, max, windowMs: RATE_WINDOW_MS });
  const {
    access,
    tryAs,
    close: closeAccess,
  } = openAccess(
    config,
    redis?.client,
    {
      pools: { lookUps: pools.keyLookUps, waiting: pools.keyLookUpWaits },
      lookUps: perMinute('look-ups', config.RATE_LIMIT_MAX),
      revoking: {
        ofAddress: perMinute('revocations', REVOCATIONS_PER_MINUTE.ofAddress),
        ofIssuer: perMinute('revocations-by', REVOCATIONS_PER_MINUTE.ofIssuer),
      },
    },
    logger,
  );
  return {
    version,
    logger,
    catalog,
    prefixes: { current: config.PROTO_PREFIX, legacy: config.PROTO_LEGACY_PREFIXES },
    node,
    nodes: node.nodes,
    watch: {
      blocks: node.blocks,
      rules: WATCH,
      pools,
    },
    readiness: nodeReadiness(node, NODE_CHECK_TIMEOUT_MS, {
      catalog: catalogCheck(catalog),
      ...redisCheck(config, redis),
    }),
    metrics,
    securityContacts: config.SECURITY_CONTACT,
    metricsAccess: { token: config.METRICS_TOKEN, open: config.NODE_ENV !== 'production' },
    permanentHeaders: new Set(config.PROTO_PERMANENT_HEADERS.map((name) => name.toLowerCase())),
    defaultTimeoutMs: config.GRPC_DEADLINE_MS,
    streamIdleMs: config.GRPC_STREAM_IDLE_MS,
    exposeNode: config.EXPOSE_NODE ? node.indexOf : undefined,
    now,
    ...(config.PROTO_CACHE_TTL_MS === 0
      ? {}
      : { cache: { ttlMs: config.PROTO_CACHE_TTL_MS, limitBytes: CACHE_LIMIT_BYTES } }),
    sharedReplies:
      repliesRedis &&
      redisReplyStore(repliesRedis.client, {
        service: SERVICE,
        limitBytes: config.PROTO_SHARED_CACHE_BYTES,
        ttlMs: config.PROTO_SHARED_CACHE_TTL_SECONDS * 1000,
      }),
    trustProxy: trustedProxies(config),
    publicUrl: config.PUBLIC_URL,
    sockets: { stalledMs: STALLED_READER_MS, perAddress: config.SOCKETS_PER_ADDRESS },
    replyBytes,
    rateLimit: {
      max: config.RATE_LIMIT_MAX,
      windowMs: RATE_WINDOW_MS,
      store,
      // Without a gate, callers are known by address only.
      ...(access === undefined ? {} : { perAddress: perMinute('address', mostPerAddress(config)) }),
    },
    access,
    tryAs,
    corsOrigins: config.CORS_ORIGINS,
    docs: config.DOCS,
    examples: config.DOCS ? readExamples(config) : {},
    tracing: tracing.plugin,
    async close() {
      catalog.close();
      await closeAccess();
      await Promise.all([redis?.close(), repliesRedis?.close()]);
      await tracing.shutdown();
      node.close();
    },
  };
}

/** A separate connection with a short timeout: the node is the fallback. */
async function openRepliesRedis(config: Config, logger: Logger): Promise<RedisConnection | undefined> {
  if (config.REDIS_URL === undefined || config.PROTO_SHARED_CACHE_BYTES === 0) return undefined;
  const connectionName = `${SERVICE}-replies`;
  return openRedis({
    url: config.REDIS_URL,
    ca: config.REDIS_CA,
    logger,
    connectionName,
    commandTimeoutMs: SHARED_REPLIES_MS,
  });
}

/** Token checks need it for revocations and single use. Rate limits do not. */
function redisCheck(config: Config, redis: RedisConnection | undefined): { redis?: () => Promise<void> } {
  if (redis === undefined || config.GATEWAY_AUTH !== 'ucan') return {};
  return { redis: config.UCAN_SINGLE_USE ? redisWrites(redis.client, SERVICE) : redis.ping };
}

interface PoolSettings {
  readonly GRPC_MAX_CALLS: number;
  readonly REPLY_BYTES_IN_FLIGHT: number;
  readonly WATCHES_PER_CLIENT: number;
  readonly WATCHES_MAX: number;
  readonly WATCH_QUERIES_MAX: number;
  readonly WATCH_CALLS_MAX: number;
}

const WATCHED_BYTES = 128 * 1024 * 1024;

/** Of a pool, in units of one address. */
const quarterOf = (total: number) => Math.ceil(total / 4);

/**
 * Capacity of one process that callers share. Each pool has a share for each address: without keys only the address identifies a
 * caller, and with keys one address may have many. Every pool of the service is in this list, which metrics and a test read.
 */
export function sharedPools(settings: PoolSettings) {
  const { WATCHES_MAX: watches, WATCHES_PER_CLIENT: perClient, WATCH_QUERIES_MAX: queries } = settings;
  const { lookUps: keyLookUps, waiting: keyLookUpWaits } = lookupPools();
  return {
    keyLookUps,
    keyLookUpWaits,
    /** Calls to nodes, each until its deadline. The gateway's own calls count as those of one more address. */
    nodeCalls: new FairSemaphore({
      name: 'node_calls',
      total: settings.GRPC_MAX_CALLS,
      shares: { address: quarterOf(settings.GRPC_MAX_CALLS) },
    }),
    /** Bytes of replies that wait for slow readers, up to 30 seconds without progress. */
    replyBytes: new FairSemaphore({
      name: 'reply_bytes',
      total: settings.REPLY_BYTES_IN_FLIGHT,
      shares: { address: quarterOf(settings.REPLY_BYTES_IN_FLIGHT) },
    }),
    /** Watches, of a key or address (`client`) and of all callers of an address; each ends when its reader stalls. */
    watches: new FairSemaphore({
      name: 'watches',
      total: watches,
      shares: { client: perClient, address: Math.max(perClient, quarterOf(watches)) },
    }),
    /** Watched queries, by the address of the first watcher. */
    watchedQueries: new FairSemaphore({
      name: 'watched_queries',
      total: queries,
      shares: { address: quarterOf(queries) },
    }),
    /** Bytes of watched answers, encoded and written, by the address of the first subscriber. */
    watchedBytes: new FairSemaphore({
      name: 'watched_bytes',
      total: WATCHED_BYTES,
      shares: { address: quarterOf(WATCHED_BYTES) },
    }),
    /** Calls for watched queries. A query waits once for each block, so waiting calls are bounded by watched queries. */
    watchCalls: new FairSemaphore({
      name: 'watch_calls',
      total: settings.WATCH_CALLS_MAX,
      shares: { address: quarterOf(settings.WATCH_CALLS_MAX) },
      waiting: { total: Number.POSITIVE_INFINITY, perHolder: Number.POSITIVE_INFINITY },
    }),
  };
}
