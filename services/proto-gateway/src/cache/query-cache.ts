import type { Metrics } from '@mlango/service-kit/metrics';
import { readGauge } from '@mlango/service-kit/read-gauge';
import type { ByteBudget } from '../nodes/byte-budget.js';
import type { ChainNode } from '../nodes/chain-node.js';
import type { ReadRules } from '../query/read-call.js';
import { type ClusterCacheOptions, type ClusterLookup, clusterCache } from './cluster.js';
import { type CacheRules, cacheReplies } from './reply.js';
import { createResponseCache, type ResponseCache } from './response.js';
import { type SingleFlight, singleFlight } from './single-flight.js';

/** Who counts the queries that cost the node nothing. */
export interface CacheObserver {
  cacheLookup(isHit: boolean): void;
  sharedCall(): void;
}

export interface QueryCacheOptions {
  readonly node: ChainNode;
  /** Omitted: nothing is kept. */
  readonly cache?: CacheRules | undefined;
  /** Omitted: other replicas are not asked. */
  readonly shared?: Omit<ClusterCacheOptions, 'now'> | undefined;
  /** Not everybody may have the replies: caches on the way must not share them. */
  readonly isGated: boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly observer?: CacheObserver;
}

/** The node as queries reach it, and their answers as they were worded; each has half of the room there is. */
export function queryCache({
  node,
  cache,
  now,
  observer,
  isGated,
  permanentHeaders,
  shared: elsewhere,
}: QueryCacheOptions & Pick<ReadRules, 'permanentHeaders'>): {
  readonly queries: ChainNode;
  readonly isShared: SingleFlight['isShared'];
  readonly kept?: ResponseCache;
} {
  const asked = elsewhere === undefined ? node : clusterCache(node, { ...elsewhere, now });
  const shared = singleFlight(asked, now, () => observer?.sharedCall());
  const { isShared } = shared;
  if (cache === undefined) return { queries: shared, isShared };
  const rules = { ...cache, limitBytes: cache.limitBytes / 2 };
  const lookup = (isHit: boolean): void => observer?.cacheLookup(isHit);
  const queries = cacheReplies(shared, rules, now, lookup);
  return {
    queries,
    isShared,
    kept: createResponseCache(queries, { ...rules, permanentHeaders }, isGated, () => lookup(true)),
  };
}

/** Counts which queries did not cost the node a call. */
export function cacheMetrics(metrics: Metrics): CacheObserver {
  const lookups = metrics.counter({
    name: 'proto_gateway_cache_lookups_total',
    help: 'Queries looked for among the replies that are kept, by whether they were there.',
    labelNames: ['result'],
  });
  const shared = metrics.counter({
    name: 'proto_gateway_shared_queries_total',
    help: 'Queries that joined an identical call under way.',
  });
  const [hits, misses] = [lookups.labels({ result: 'hit' }), lookups.labels({ result: 'miss' })];
  // A share of nothing found is 0, and not unknown.
  for (const result of [hits, misses]) result.inc(0);
  return {
    cacheLookup: (isHit) => (isHit ? hits : misses).inc(),
    sharedCall: () => shared.inc(),
  };
}

/** Counts what was looked for among the replies that replicas keep for one another. */
export function clusterMetrics(metrics: Metrics): (result: ClusterLookup) => void {
  const lookups = metrics.counter({
    name: 'proto_gateway_shared_cache_lookups_total',
    help: 'Queries looked for at other replicas, by what came of it.',
    labelNames: ['result'],
  });
  return (result) => lookups.inc({ result });
}

/** Tells how many bytes of replies wait for their readers. */
export function replyBytesMetrics(metrics: Metrics, budget: ByteBudget): void {
  const help = 'Bytes of replies on their way, from nodes and to readers.';
  readGauge(metrics, 'proto_gateway_reply_bytes_in_flight', help, () => budget.bytes);
}
