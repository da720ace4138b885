import { intervalLoop } from '@mlango/async/interval-loop';
import type { Logger } from '@mlango/service-kit/logging';
import { type Count, type CountBatch, countOf, hourOf } from './count.js';
import type { CountStore } from './count-store.js';

export interface CountBufferOptions {
  readonly store: Pick<CountStore, 'add'>;
  readonly logger: Logger;
  /** Identifies this process. */
  readonly writer: string;
  /** Wall clock, in ms since 1970. */
  readonly clock: () => number;
  readonly flushIntervalMs?: number;
  /** Different counts in memory; beyond them new ones are dropped, and reported as `uncounted`. */
  readonly maxCounts?: number;
}

type Sum = { -readonly [Field in keyof Count]: Count[Field] } & { readonly tenant: string };

/**
 * Sums the counts of all tenants in memory and adds the sums to the store in the background, so that no hop waits for the store. A crash
 * loses the counts of one interval. While the store is unavailable, the sums wait.
 */
export class CountBuffer {
  readonly #options: CountBufferOptions;
  readonly #maxCounts: number;
  readonly #loop: { stop(): Promise<void> };
  #sums = new Map<string, Sum>();
  #dropped = new Map<string, number>();
  #batches = 0;
  /** Not confirmed by the store. */
  #batch: CountBatch | undefined;
  #flushing: Promise<void> | undefined;
  #isStoreDown = false;

  constructor(options: CountBufferOptions) {
    this.#options = options;
    this.#maxCounts = options.maxCounts ?? 20_000;
    this.#loop = intervalLoop(
      () => this.flush(),
      () => options.flushIntervalMs ?? 2000,
    );
  }

  /** Neither waits nor throws. */
  add(tenant: string, count: Count): void {
    const { hour, flow, version, fromScreen, toScreen, measure, bucket } = count;
    const key = `${tenant}|${hour}|${flow}|${version}|${fromScreen}|${toScreen}|${measure}|${bucket}`;
    const sum = this.#sums.get(key);
    if (sum !== undefined) sum.count += count.count;
    else if (this.#sums.size < this.#maxCounts) this.#sums.set(key, { tenant, ...count });
    else this.#dropped.set(tenant, (this.#dropped.get(tenant) ?? 0) + 1);
  }

  /** Stores the counts. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Ends the loop and stores the counts. */
  async close(): Promise<void> {
    await this.#loop.stop();
    await this.flush();
  }

  async #flush(): Promise<void> {
    await this.#store();
    if (this.#batch !== undefined) return;
    this.#batch = this.#take();
    await this.#store();
  }

  /** The sums since the last batch. */
  #take(): CountBatch | undefined {
    const nowMs = this.#options.clock();
    const dropped = [...this.#dropped].map(([tenant, count]) => ({ tenant, ...countOf('uncounted', count, nowMs) }));
    const counts = [...this.#sums.values(), ...dropped];
    if (counts.length === 0) return undefined;
    this.#sums = new Map();
    this.#dropped = new Map();
    this.#batches += 1;
    return { writer: this.#options.writer, number: this.#batches, hour: hourOf(nowMs), counts };
  }

  async #store(): Promise<void> {
    const { store, logger } = this.#options;
    if (this.#batch === undefined) return;
    try {
      await store.add(this.#batch);
      this.#batch = undefined;
      if (this.#isStoreDown) logger.info('analytics store available');
      this.#isStoreDown = false;
    } catch (error) {
      if (!this.#isStoreDown) logger.warn({ err: error }, 'analytics store unavailable, will retry');
      this.#isStoreDown = true;
    }
  }
}
