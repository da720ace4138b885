import { ByteBudget } from '../upstream/byte-budget.js';
import type { BlockFeed } from './block-feed.js';
import { CallSlots } from './call-slots.js';
import { LiveQuery } from './live-query.js';
import type { TellEach } from './tell-in-turns.js';
import type { Member, Watch, WatchedQuery } from './watched-query.js';

export interface LiveQueryLimits {
  /** Queries that are told apart. */
  readonly queries: number;
  /** Calls to nodes at the same time. */
  readonly calls: number;
}

/** Of all answers that are watched. */
const LIMIT_BYTES = 128 * 1024 * 1024;

/** The queries that somebody watches: each is asked once a block, all at its height. */
export class LiveQueries {
  readonly #blocks: BlockFeed;
  readonly #limits: LiveQueryLimits;
  readonly #slots: CallSlots;
  readonly #budget = new ByteBudget(LIMIT_BYTES);
  readonly #live = new Map<string, LiveQuery>();
  readonly #onCall: () => void;
  readonly #tellEach: TellEach;

  /** @param onCall told of each call to a node */
  constructor(blocks: BlockFeed, limits: LiveQueryLimits, onCall: () => void, tellEach: TellEach) {
    this.#blocks = blocks;
    this.#limits = limits;
    this.#slots = new CallSlots(limits.calls);
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

  /** `undefined` when as many queries are watched as may be. */
  join(query: WatchedQuery, member: Member): Watch | undefined {
    const known = this.#live.get(query.key);
    if (known !== undefined) return known.join(query.view, member);
    if (this.#live.size >= this.#limits.queries) return undefined;
    const live = new LiveQuery({
      ask: (height) => {
        this.#onCall();
        return query.ask(height);
      },
      slots: this.#slots,
      budget: this.#budget,
      tellEach: this.#tellEach,
      isAway: () => this.#blocks.isAway,
      onEmpty: () => this.#live.delete(query.key),
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
