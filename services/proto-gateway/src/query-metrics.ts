import type { Metrics } from '@mlango/service-kit/metrics';
import { readGauge } from '@mlango/service-kit/read-gauge';
import type { ByteBudget } from './nodes/byte-budget.js';
import type { SharedLookup } from './nodes/share-replies.js';
import type { QueryObserver } from './query/shared-queries.js';

/** Counts which queries did not cost the node a call. */
export function queryMetrics(metrics: Metrics): QueryObserver {
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
export function sharedReplyMetrics(metrics: Metrics): (result: SharedLookup) => void {
  const lookups = metrics.counter({
    name: 'proto_gateway_shared_cache_lookups_total',
    help: 'Queries looked for at other replicas, by what came of it.',
    labelNames: ['result'],
  });
  return (result) => lookups.inc({ result });
}

/** Tells how many bytes of replies wait for their readers. */
export function replyMetrics(metrics: Metrics, budget: ByteBudget): void {
  const help = 'Bytes of replies on their way, from nodes and to readers.';
  readGauge(metrics, 'proto_gateway_reply_bytes_in_flight', help, () => budget.bytes);
}
