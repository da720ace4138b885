import type { FairSemaphore, Permit } from '@mlango/async/fair-semaphore';
import type { BlockFeed, NewBlock } from './block-feed.js';
import { EventFrame, statusFrame } from './event.js';
import type { FanOut } from './fan-out.js';
import { LiveQuery } from './live-query.js';
import type { Subscriber, Subscription, WatchedQuery } from './subscription.js';

type QueryPools = Record<'watchedQueries' | 'watchedBytes' | 'watchCalls', FairSemaphore<'address'>>;

/** The watched queries: each is called once per block, all at its height. */
export class LiveQueries {
  readonly #blocks: BlockFeed;
  readonly #pools: QueryPools;
  readonly #live = new Map<string, LiveQuery>();
  readonly #onCall: () => void;
  readonly #fanOut: FanOut;

  /** @param onCall called for each call to a node */
  constructor(blocks: BlockFeed, pools: QueryPools, onCall: () => void, fanOut: FanOut) {
    this.#blocks = blocks;
    this.#pools = pools;
    this.#onCall = onCall;
    this.#fanOut = fanOut;
    blocks.onBlock.add(({ height }) => {
      // Skipped blocks are not queried.
      if (height === blocks.newest?.height) for (const live of this.#live.values()) void live.check(height);
    });
    blocks.onAvailability.add(() => {
      for (const live of this.#live.values()) {
        live.publishState();
        if (live.isStale) this.#check(live);
      }
    });
  }

  /** Distinct queries. */
  get size(): number {
    return this.#live.size;
  }

  /**
   * `undefined` at the limit of watched queries.
   *
   * @param address the `addressKey` of the watcher: a new query counts for this address
   */
  join(query: WatchedQuery, subscriber: Subscriber, address: string): Subscription | undefined {
    const known = this.#live.get(query.key);
    if (known !== undefined) return known.join(query.view, subscriber);
    const permit = permitOf(this.#pools.watchedQueries.tryAcquire({ address }));
    if (permit === undefined) return undefined;
    const live = new LiveQuery({
      query: (height) => {
        this.#onCall();
        return query.query(height);
      },
      calls: (task) => this.#pools.watchCalls.run({ address }, task),
      hold: (bytes) => permitOf(this.#pools.watchedBytes.tryAcquire({ address }, bytes)),
      fanOut: this.#fanOut,
      isUnavailable: () => this.#blocks.isUnavailable,
      onEmpty: () => {
        permit.release();
        this.#live.delete(query.key);
      },
    });
    this.#live.set(query.key, live);
    const watch = live.join(query.view, subscriber);
    this.#check(live);
    return watch;
  }

  #check(live: LiveQuery): void {
    const height = this.#blocks.newest?.height;
    if (height !== undefined) void live.check(height);
  }
}

function permitOf(taken: Permit | { readonly full: string }): Permit | undefined {
  return 'full' in taken ? undefined : taken;
}

/** Publishes new blocks. */
export class LiveBlocks {
  readonly #blocks: BlockFeed;
  readonly #print: (block: NewBlock) => string;
  readonly #fanOut: FanOut;
  readonly #members = new Set<Subscriber>();

  /** @param print the JSON of a block */
  constructor(blocks: BlockFeed, print: (block: NewBlock) => string, fanOut: FanOut) {
    this.#blocks = blocks;
    this.#print = print;
    this.#fanOut = fanOut;
    blocks.onBlock.add((block) => void this.#publish(this.#frameOf(block)));
    blocks.onAvailability.add((isUnavailable) => void this.#publish(statusFrame(isUnavailable ? 'away' : 'live')));
  }

  /** Sends the newest block, or those above `from`, and then each new one. */
  join(subscriber: Subscriber): Subscription {
    const { newest } = this.#blocks;
    const missed = subscriber.from === undefined ? newest && [newest] : this.#blocks.above(subscriber.from);
    if (this.#blocks.isUnavailable) subscriber.offer(statusFrame('away'));
    for (const block of missed ?? []) subscriber.offer(this.#frameOf(block));
    this.#members.add(subscriber);
    return {
      checkedAt: () => this.#blocks.newest?.height,
      leave: () => void this.#members.delete(subscriber),
    };
  }

  #frameOf(block: NewBlock): EventFrame {
    return new EventFrame('block', block.height, this.#print(block));
  }

  #publish(frame: EventFrame): Promise<void> {
    // Later subscribers already have it.
    return this.#fanOut([...this.#members], (subscriber) => {
      const isKnown = frame.height !== undefined && subscriber.from !== undefined && frame.height <= subscriber.from;
      if (!isKnown && this.#members.has(subscriber)) subscriber.offer(frame);
    });
  }
}
