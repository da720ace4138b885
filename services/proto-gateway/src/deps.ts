import { performance } from 'node:perf_hooks';
import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { mostPerAddress } from '@mlango/service-kit/env';
import type { Logger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { trustedProxies } from '@mlango/service-kit/proxies';
import { allowance, serviceRateLimitStore } from '@mlango/service-kit/rate-limit';
import { openRedis, type RedisConnection, redisWritableGauge, redisWrites } from '@mlango/service-kit/redis';
import { semaphoreMetrics } from '@mlango/service-kit/shared-pools';
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
  const { http, nodes, catalog: catalogSettings, cache, access: accessSettings, stores, telemetry } = config;
  const { NODE_ENV } = http;
  const now = (): number => performance.now();
  const metrics = createMetrics({ service: SERVICE, version });
  const pools = sharedPools(config);
  semaphoreMetrics(metrics, Object.values(pools));
  const replyBytes = new ReplyBytes(pools.replyBytes);
  const node = openNode(nodes, metrics, logger, { replyBytes, calls: pools.nodeCalls });
  const tracing = await startTracing({ service: SERVICE, version, logger, config: { ...telemetry, NODE_ENV } });
  const redis =
    stores.REDIS_URL === undefined
      ? undefined
      : await openRedis({ url: stores.REDIS_URL, ca: stores.REDIS_CA, logger, connectionName: SERVICE });
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
    { ...accessSettings, NODE_ENV },
    redis?.client,
    {
      pools: { lookUps: pools.keyLookUps, waiting: pools.keyLookUpWaits },
      lookUps: perMinute('look-ups', http.RATE_LIMIT_MAX),
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
    prefixes: { current: catalogSettings.PROTO_PREFIX, legacy: catalogSettings.PROTO_LEGACY_PREFIXES },
    node,
    nodes: node.nodes,
    watch: {
      blocks: node.blocks,
      rules: WATCH,
      pools,
    },
    readiness: nodeReadiness(node, NODE_CHECK_TIMEOUT_MS, {
      catalog: catalogCheck(catalog),
      ...redisCheck(accessSettings, redis),
    }),
    metrics,
    securityContacts: http.SECURITY_CONTACT,
    metricsAccess: { token: telemetry.METRICS_TOKEN, open: NODE_ENV !== 'production' },
    permanentHeaders: new Set(catalogSettings.PROTO_PERMANENT_HEADERS.map((name) => name.toLowerCase())),
    defaultTimeoutMs: nodes.GRPC_DEADLINE_MS,
    streamIdleMs: nodes.GRPC_STREAM_IDLE_MS,
    exposeNode: nodes.EXPOSE_NODE ? node.indexOf : undefined,
    now,
    ...(cache.PROTO_CACHE_TTL_MS === 0
      ? {}
      : { cache: { ttlMs: cache.PROTO_CACHE_TTL_MS, limitBytes: CACHE_LIMIT_BYTES } }),
    sharedReplies:
      repliesRedis &&
      redisReplyStore(repliesRedis.client, {
        service: SERVICE,
        limitBytes: cache.PROTO_SHARED_CACHE_BYTES,
        ttlMs: cache.PROTO_SHARED_CACHE_TTL_SECONDS * 1000,
      }),
    trustProxy: trustedProxies(http),
    publicUrl: http.PUBLIC_URL,
    connections: { stalledMs: STALLED_READER_MS, perAddress: http.SOCKETS_PER_ADDRESS },
    replyBytes,
    rateLimit: {
      max: http.RATE_LIMIT_MAX,
      windowMs: RATE_WINDOW_MS,
      store,
      // Without a gate, callers are known by address only.
      ...(access === undefined
        ? {}
        : { perAddress: perMinute('address', mostPerAddress({ ...http, ...accessSettings })) }),
    },
    access,
    tryAs,
    corsOrigins: accessSettings.CORS_ORIGINS,
    docs: http.DOCS,
    examples: http.DOCS ? readExamples({ ...catalogSettings, NODE_ENV }) : {},
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
async function openRepliesRedis({ cache, stores }: Config, logger: Logger): Promise<RedisConnection | undefined> {
  if (stores.REDIS_URL === undefined || cache.PROTO_SHARED_CACHE_BYTES === 0) return undefined;
  const connectionName = `${SERVICE}-replies`;
  return openRedis({
    url: stores.REDIS_URL,
    ca: stores.REDIS_CA,
    logger,
    connectionName,
    commandTimeoutMs: SHARED_REPLIES_MS,
  });
}

/** Token checks need it for revocations and single use. Rate limits do not. */
function redisCheck(access: Config['access'], redis: RedisConnection | undefined): { redis?: () => Promise<void> } {
  if (redis === undefined || access.GATEWAY_AUTH !== 'ucan') return {};
  return { redis: access.UCAN_SINGLE_USE ? redisWrites(redis.client, SERVICE) : redis.ping };
}

type PoolSettings = {
  readonly http: Pick<Config['http'], 'REPLY_BYTES_IN_FLIGHT'>;
  readonly nodes: Pick<Config['nodes'], 'GRPC_MAX_CALLS'>;
  readonly watch: Config['watch'];
};

const WATCHED_BYTES = 128 * 1024 * 1024;

/** Of a pool, in units of one address. */
const quarterOf = (total: number) => Math.ceil(total / 4);

/**
 * Capacity of one process that callers share. Each pool has a share for each address: without keys only the address identifies a
 * caller, and with keys one address may have many. Every pool of the service is in this list, which metrics and a test read.
 */
export function sharedPools({ http, nodes, watch }: PoolSettings) {
  const { GRPC_MAX_CALLS: calls } = nodes;
  const { REPLY_BYTES_IN_FLIGHT: replyBytes } = http;
  const { WATCHES_MAX: watches, WATCHES_PER_CLIENT: perClient, WATCH_QUERIES_MAX: queries } = watch;
  const { lookUps: keyLookUps, waiting: keyLookUpWaits } = lookupPools();
  return {
    keyLookUps,
    keyLookUpWaits,
    /** Calls to nodes, each until its deadline. The gateway's own calls count as those of one more address. */
    nodeCalls: new FairSemaphore({
      name: 'node_calls',
      total: calls,
      shares: { address: quarterOf(calls) },
    }),
    /** Bytes of replies that wait for slow readers, up to 30 seconds without progress. */
    replyBytes: new FairSemaphore({
      name: 'reply_bytes',
      total: replyBytes,
      shares: { address: quarterOf(replyBytes) },
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
      total: watch.WATCH_CALLS_MAX,
      shares: { address: quarterOf(watch.WATCH_CALLS_MAX) },
      waiting: { total: Number.POSITIVE_INFINITY, perHolder: Number.POSITIVE_INFINITY },
    }),
  };
}
