import type { Metrics } from '@mlango/service-kit/metrics';
import { readGauge } from '@mlango/service-kit/read-gauge';
import type { EventKind } from './event-frame.js';

export interface WatchMetrics {
  /** A node is asked for the answer to a query that is watched. */
  readonly called: () => void;
  readonly told: (kind: EventKind) => void;
  readonly skipped: () => void;
  readonly refused: (reason: 'client' | 'address' | 'total' | 'queries') => void;
}

/** Counts what is watched, what that costs, and what is told. */
export function watchMetrics(
  metrics: Metrics,
  count: { readonly watches: () => number; readonly queries: () => number },
): WatchMetrics {
  readGauge(metrics, 'proto_gateway_watches', 'Watches that are open.', count.watches);
  const queries = 'Queries that are watched; each is one call a block.';
  readGauge(metrics, 'proto_gateway_watched_queries', queries, count.queries);
  const calls = metrics.counter({
    name: 'proto_gateway_watch_calls_total',
    help: 'Answers looked for because somebody watches the query.',
  });
  const events = metrics.counter({
    name: 'proto_gateway_watch_events_total',
    help: 'Events that were sent to watchers, by kind.',
    labelNames: ['kind'],
  });
  const skipped = metrics.counter({
    name: 'proto_gateway_watch_skipped_total',
    help: 'Events that slow readers were not sent, because a newer one came.',
  });
  const refused = metrics.counter({
    name: 'proto_gateway_watches_refused_total',
    help: 'Watches that were refused, by the limit that was reached.',
    labelNames: ['reason'],
  });
  const kinds = {
    answer: events.labels({ kind: 'answer' }),
    block: events.labels({ kind: 'block' }),
    failed: events.labels({ kind: 'failed' }),
    status: events.labels({ kind: 'status' }),
  };
  return {
    called: () => calls.inc(),
    told: (kind) => kinds[kind].inc(),
    skipped: () => skipped.inc(),
    refused: (reason) => refused.labels({ reason }).inc(),
  };
}
