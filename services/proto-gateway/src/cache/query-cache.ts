import type { Metrics } from '@mlango/service-kit/metrics';
import type { NodeIndexOf } from '../answers/answer-headers.js';
import type { ChainNode } from '../nodes/chain-node.js';
import { type ClusterCacheOptions, type ClusterLookup, clusterCache } from './cluster.js';
import { type CacheRules, cacheReplies } from './reply.js';
import { createResponseCache, type ResponseCache } from './response.js';
import { singleFlight } from './single-flight.js';

/** Counts the queries that cost no call to a node. */
export interface CacheObserver {
  cacheLookup(isHit: boolean): void;
  sharedCall(): void;
}

export interface QueryCacheOptions {
  readonly node: ChainNode;
  /** Omitted: replies are not cached. */
  readonly cache?: CacheRules | undefined;
  /** Omitted: replies are not shared with other replicas. */
  readonly shared?: Omit<ClusterCacheOptions, 'now'> | undefined;
  /** Headers of HTTP, lower case, that go to the node; default: none. */
  readonly permanentHeaders?: ReadonlySet<string> | undefined;
  /** Omitted: answers do not name their node. */
  readonly exposeNode?: NodeIndexOf | undefined;
  /** Callers authenticate: HTTP caches must not share replies. */
  readonly isGated: boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly observer?: CacheObserver;
}

/** Composes the caches of queries: response, reply, single flight, cluster, node. Responses and replies have half of the size each. */
export function queryCache({
  node,
  cache,
  now,
  observer,
  isGated,
  permanentHeaders,
  exposeNode,
  shared,
}: QueryCacheOptions): {
  readonly queries: ChainNode;
  readonly responses?: ResponseCache;
} {
  const cluster = shared === undefined ? node : clusterCache(node, { ...shared, now });
  const flight = singleFlight(cluster, now, () => observer?.sharedCall());
  if (cache === undefined) return { queries: flight };
  const rules = { ...cache, limitBytes: Math.floor(cache.limitBytes / 2) };
  const lookup = (isHit: boolean): void => observer?.cacheLookup(isHit);
  const queries = cacheReplies(flight, rules, now, lookup);
  const options = { ...rules, permanentHeaders, isGated, exposesNode: exposeNode !== undefined };
  return { queries, responses: createResponseCache(queries, options, () => lookup(true)) };
}

/** Metrics of the reply cache and of single flight. */
export function cacheMetrics(metrics: Metrics): CacheObserver {
  const lookups = metrics.counter({
    name: 'proto_gateway_cache_lookups_total',
    help: 'Lookups in the reply cache, by result.',
    labelNames: ['result'],
  });
  const shared = metrics.counter({
    name: 'proto_gateway_shared_queries_total',
    help: 'Queries that joined an identical running call.',
  });
  const [hits, misses] = [lookups.labels({ result: 'hit' }), lookups.labels({ result: 'miss' })];
  // Both series exist from the start, so that a hit ratio is defined.
  for (const result of [hits, misses]) result.inc(0);
  return {
    cacheLookup: (isHit) => (isHit ? hits : misses).inc(),
    sharedCall: () => shared.inc(),
  };
}

/** Metrics of the cluster cache. */
export function clusterMetrics(metrics: Metrics): (result: ClusterLookup) => void {
  const lookups = metrics.counter({
    name: 'proto_gateway_shared_cache_lookups_total',
    help: 'Lookups in the cache shared by replicas, by result.',
    labelNames: ['result'],
  });
  return (result) => lookups.inc({ result });
}
