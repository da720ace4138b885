import type { NodeState } from '../nodes/health.js';

/** A block, as published. */
export interface NewBlock {
  readonly height: number;
  /** Block time in seconds since 1970; `null` for a skipped block, and if nodes do not report it. */
  readonly seconds: number | null;
}

/** Failed probes in a row before a node counts as unavailable. */
const MISSES = 2;
/** Probes in a row below the known height before the chain counts as reset. */
const LOWER_REPORTS = 30;
/** Blocks in the history, and the most that one probe publishes. */
const HISTORY_BLOCKS = 100;

/**
 * The newest blocks of the chain, from the health probes of its nodes. Each block is published once, in order; after a longer
 * gap only the newest. Nodes that report no height publish none.
 */
export class BlockFeed {
  readonly onBlock = new Set<(block: NewBlock) => void>();
  /** Called when the last node becomes unavailable, and when one is available again. */
  readonly onAvailability = new Set<(isUnavailable: boolean) => void>();
  readonly #reports = new Map<object, { readonly misses: number; readonly height: number | undefined }>();
  /** A probe that is running may still end. */
  readonly #forgotten = new WeakSet<object>();
  #history: NewBlock[] = [];
  #lower = 0;
  #isUnavailable = true;

  get newest(): NewBlock | undefined {
    return this.#history.at(-1);
  }

  /** No node is available by the last probes; true at the start. */
  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  /** The blocks above a height; only the newest one if the history is too short. */
  above(height: number): readonly NewBlock[] {
    const newest = this.newest;
    if (newest === undefined || newest.height <= height) return [];
    const history = this.#history.filter((block) => block.height > height);
    return history[0]?.height === height + 1 ? history : [newest];
  }

  /** Takes the result of a probe. */
  report(node: object, { reachable, height: digits, blockSeconds }: NodeState): void {
    if (this.#forgotten.has(node)) return;
    const misses = reachable ? 0 : (this.#reports.get(node)?.misses ?? 0) + 1;
    const height = reachable && digits !== null ? Number(digits) : undefined;
    this.#reports.set(node, { misses, height });
    const reports = [...this.#reports.values()];
    this.#setUnavailable(reports.every((entry) => entry.misses >= MISSES));
    if (height === undefined) return;
    const highest = Math.max(...reports.map((entry) => entry.height ?? 0));
    const known = this.newest?.height ?? 0;
    this.#lower = highest < known ? this.#lower + 1 : 0;
    if (this.#lower > LOWER_REPORTS * reports.length) this.#history = [];
    else if (height <= known) return;
    this.#lower = 0;
    this.#announce({ height, seconds: blockSeconds });
  }

  /** Removes a node. */
  forget(node: object): void {
    this.#forgotten.add(node);
    this.#reports.delete(node);
    const reports = [...this.#reports.values()];
    if (reports.length > 0) this.#setUnavailable(reports.every((entry) => entry.misses >= MISSES));
  }

  #announce(newest: NewBlock): void {
    const known = this.newest?.height;
    const first = known === undefined || newest.height - known > HISTORY_BLOCKS ? newest.height : known + 1;
    if (first !== (known ?? 0) + 1) this.#history = [];
    for (let height = first; height <= newest.height; height += 1) {
      const block = height === newest.height ? newest : { height, seconds: null };
      this.#history.push(block);
      if (this.#history.length > HISTORY_BLOCKS) this.#history.shift();
      for (const notify of this.onBlock) notify(block);
    }
  }

  #setUnavailable(isUnavailable: boolean): void {
    if (isUnavailable === this.#isUnavailable) return;
    this.#isUnavailable = isUnavailable;
    for (const notify of this.onAvailability) notify(isUnavailable);
  }
}
