import type { Permit } from '@mlango/service-kit/async';
import type { SharedPools } from '../shared-pools.js';
import type { BlockFeed } from './block-feed.js';
import { LiveQuery } from './live-query.js';
import type { TellEach } from './tell-in-turns.js';
import type { Member, Watch, WatchedQuery } from './watched-query.js';

type LivePools = Pick<SharedPools, 'watchedQueries' | 'watchedBytes' | 'watchCalls'>;

/** The queries that somebody watches: each is asked once a block, all at its height. */
export class LiveQueries {
  readonly #blocks: BlockFeed;
  readonly #pools: LivePools;
  readonly #live = new Map<string, LiveQuery>();
  readonly #onCall: () => void;
  readonly #tellEach: TellEach;

  /** @param onCall told of each call to a node */
  constructor(blocks: BlockFeed, pools: LivePools, onCall: () => void, tellEach: TellEach) {
    this.#blocks = blocks;
    this.#pools = pools;
    this.#onCall = onCall;
    this.#tellEach = tellEach;
    blocks.onBlock.add(({ height }) => {
      // Blocks that went by unseen are not asked for one by one.
      if (height === blocks.newest?.height) for (const live of this.#live.values()) void live.check(height);
    });
    blocks.onAway.add(() => {
      for (const live of this.#live.values()) {
        live.tellState();
        if (live.isLate) this.#check(live);
      }
    });
  }

  /** Those that are told apart. */
  get size(): number {
    return this.#live.size;
  }

  /**
   * `undefined` when as many queries are watched as may be.
   *
   * @param address the `addressKey` of the watcher: a new query is counted as that of its address
   */
  join(query: WatchedQuery, member: Member, address: string): Watch | undefined {
    const known = this.#live.get(query.key);
    if (known !== undefined) return known.join(query.view, member);
    const permit = permitOf(this.#pools.watchedQueries.tryAcquire({ address }));
    if (permit === undefined) return undefined;
    const live = new LiveQuery({
      ask: (height) => {
        this.#onCall();
        return query.ask(height);
      },
      calls: (task) => this.#pools.watchCalls.run({ address }, task),
      hold: (bytes) => permitOf(this.#pools.watchedBytes.tryAcquire({ address }, bytes)),
      tellEach: this.#tellEach,
      isAway: () => this.#blocks.isAway,
      onEmpty: () => {
        permit.release();
        this.#live.delete(query.key);
      },
    });
    this.#live.set(query.key, live);
    const watch = live.join(query.view, member);
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
