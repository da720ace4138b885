import { setTimeout as sleep } from 'node:timers/promises';
import type { FairSemaphore } from '@mlango/async/fair-semaphore';
import type { Metrics } from '@mlango/service-kit/metrics';
import { readGauge } from '@mlango/service-kit/metrics';
import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { ByteBudget } from '../nodes/byte-budget.js';
import type { BlockFeed, NewBlock } from './block-feed.js';
import type { EventKind } from './event.js';
import { fanOutInSlices } from './fan-out.js';
import { Readers } from './readers.js';
import { LiveBlocks, LiveQueries } from './subscriptions.js';

export interface WatchRules {
  /** Time without an event before a heartbeat. */
  readonly heartbeatMs: number;
  /** Interval of authorisation checks. */
  readonly authorisationMs: number;
  /** Pause between two rounds over all readers, in ms. Default 1,000. */
  readonly tickMs?: number;
}

/** Shared capacity for subscriptions. */
export interface WatchPools {
  readonly watches: FairSemaphore<'client' | 'address'>;
  readonly watchedQueries: FairSemaphore<'address'>;
  readonly watchedBytes: FairSemaphore<'address'>;
  readonly watchCalls: FairSemaphore<'address'>;
}

export interface WatchingOptions {
  readonly rules: WatchRules;
  readonly pools: WatchPools;
  readonly blocks: BlockFeed;
  /** The JSON of a block. */
  readonly printBlock: (block: NewBlock) => string;
  /** Bytes of all unsent replies. */
  readonly replyBytes: ByteBudget;
  readonly metrics: Metrics;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

const TICK_MS = 1000;
/** Larger leads than between replicas are invalid. */
const AHEAD_BLOCKS = 1000;
/** Time for watchers to receive the notice that this process stops. */
const NOTICE_MS = 100;

/** All subscriptions and readers of this process. */
export class Watching {
  readonly rules: WatchRules;
  readonly queries: LiveQueries;
  readonly blocks: LiveBlocks;
  readonly pools: WatchPools;
  readonly readers: Readers;
  readonly metrics: WatchMetrics;
  readonly replyBytes: ByteBudget;
  readonly now: () => number;
  readonly #feed: BlockFeed;

  constructor({ rules, pools, blocks, printBlock, replyBytes, metrics, now }: WatchingOptions) {
    this.rules = rules;
    this.#feed = blocks;
    this.replyBytes = replyBytes;
    this.now = now;
    this.pools = pools;
    this.readers = new Readers({ tickMs: rules.tickMs ?? TICK_MS, authorisationMs: rules.authorisationMs });
    this.metrics = watchMetrics(metrics, { watches: () => pools.watches.taken, queries: () => this.queries.size });
    const fanOut = fanOutInSlices();
    this.queries = new LiveQueries(blocks, pools, this.metrics.called, fanOut);
    this.blocks = new LiveBlocks(blocks, printBlock, fanOut);
  }

  get newest(): NewBlock | undefined {
    return this.#feed.newest;
  }

  /** The client's resume height, if plausible. */
  resumeHeight(from: number | undefined): number | undefined {
    const newest = this.newest?.height;
    return from !== undefined && newest !== undefined && from > newest + AHEAD_BLOCKS ? undefined : from;
  }

  /** Closes all readers, and gives them time to receive the reason. */
  async close(): Promise<void> {
    const hasAny = this.readers.size > 0;
    this.readers.close();
    if (hasAny) await sleep(NOTICE_MS);
  }
}

/** Why a watch is refused by a limit. */
export type WatchRefusal = 'client' | 'address' | 'total' | 'queries' | 'closing';

export function refusedWatch(why: WatchRefusal, { watches }: WatchPools): RpcStatus {
  const code = why === 'client' || why === 'address' ? GRPC_CODES.resourceExhausted : GRPC_CODES.unavailable;
  return { code, message: REFUSAL_TEXTS[why](watches.shareOf(why) ?? 0), details: [] };
}

const REFUSAL_TEXTS: Readonly<Record<WatchRefusal, (share: number) => string>> = {
  client: (share) => `The limit of ${share} open watches of one caller is reached. Close one first.`,
  address: (share) => `The limit of ${share} open watches of one address is reached. Close one first.`,
  total: () => 'The limit of open watches is reached. Try again shortly.',
  queries: () => 'The limit of watched queries is reached. Try again shortly.',
  closing: () => 'This gateway is stopping. Try again shortly.',
};

export interface WatchMetrics {
  /** Counts a call for a watched query. */
  readonly called: () => void;
  readonly sent: (kind: EventKind) => void;
  readonly skipped: () => void;
  readonly refused: (reason: 'client' | 'address' | 'total' | 'queries') => void;
}

/** Metrics of subscriptions. */
function watchMetrics(
  metrics: Metrics,
  count: { readonly watches: () => number; readonly queries: () => number },
): WatchMetrics {
  readGauge(metrics, 'proto_gateway_watches', 'Open subscriptions.', count.watches);
  const queries = 'Watched queries; each costs one call per block.';
  readGauge(metrics, 'proto_gateway_watched_queries', queries, count.queries);
  const calls = metrics.counter({
    name: 'proto_gateway_watch_calls_total',
    help: 'Calls for watched queries.',
  });
  const events = metrics.counter({
    name: 'proto_gateway_watch_events_total',
    help: 'Events sent to subscribers, by kind.',
    labelNames: ['kind'],
  });
  const skipped = metrics.counter({
    name: 'proto_gateway_watch_skipped_total',
    help: 'Events replaced by newer ones for slow readers.',
  });
  const refused = metrics.counter({
    name: 'proto_gateway_watches_refused_total',
    help: 'Refused subscriptions, by limit.',
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
    sent: (kind) => kinds[kind].inc(),
    skipped: () => skipped.inc(),
    refused: (reason) => refused.labels({ reason }).inc(),
  };
}
