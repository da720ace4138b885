import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { ByteBudget } from '../nodes/byte-budget.js';
import type { SharedPools } from '../shared-pools.js';
import type { BlockFeed, NewBlock } from './block-feed.js';
import { LiveBlocks } from './live-blocks.js';
import { LiveQueries } from './live-queries.js';
import { Readers } from './readers.js';
import { tellInTurns } from './tell-in-turns.js';
import { type WatchMetrics, watchMetrics } from './watch-metrics.js';

export interface WatchRules {
  /** After so long without an event a sign of life is sent. */
  readonly heartbeatMs: number;
  /** How often it is asked whether a watcher may stay. */
  readonly rightsMs: number;
  /** Pause between two rounds over all readers, in ms. Default 1,000. */
  readonly tickMs?: number;
}

export type WatchPools = Pick<SharedPools, 'watches' | 'watchedQueries' | 'watchedBytes' | 'watchCalls'>;

export interface WatchingOptions {
  readonly rules: WatchRules;
  readonly pools: WatchPools;
  readonly blocks: BlockFeed;
  /** The JSON of a block. */
  readonly printBlock: (block: NewBlock) => string;
  /** Of all replies on their way. */
  readonly replyBytes: ByteBudget;
  readonly metrics: Metrics;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

const TICK_MS = 1000;
/** A height that is further ahead than replicas are apart was never told by any. */
const AHEAD_BLOCKS = 1000;
/** How long watchers have to take the word that this process stops. */
const FAREWELL_MS = 100;

/** All that is watched at this process, and those who watch. */
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
    this.readers = new Readers({ tickMs: rules.tickMs ?? TICK_MS, rightsMs: rules.rightsMs });
    this.metrics = watchMetrics(metrics, { watches: () => pools.watches.taken, queries: () => this.queries.size });
    const tellEach = tellInTurns();
    this.queries = new LiveQueries(blocks, pools, this.metrics.called, tellEach);
    this.blocks = new LiveBlocks(blocks, printBlock, tellEach);
  }

  get newest(): NewBlock | undefined {
    return this.#feed.newest;
  }

  /** The block a watcher says it has heard of, where that can be. */
  heardOf(from: number | undefined): number | undefined {
    const newest = this.newest?.height;
    return from !== undefined && newest !== undefined && from > newest + AHEAD_BLOCKS ? undefined : from;
  }

  /** Sends everybody away, with a word that is given time to leave. */
  async close(): Promise<void> {
    const hasAny = this.readers.size > 0;
    this.readers.close();
    if (hasAny) await sleep(FAREWELL_MS);
  }
}
