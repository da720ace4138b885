import type { Logger } from '@mlango/service-kit/logging';
import type { AnsweredHop } from '../sessions/answer-under-lock.js';
import type { AnalyticsStore, CountsBatch } from './analytics-store.js';
import { HopTally } from './hop-tally.js';
import { watchHop } from './watched-hop.js';

export interface HopRecorderOptions {
  readonly store: AnalyticsStore;
  readonly logger: Logger;
  /** Unique ids for batches. */
  readonly newId: () => string;
  /** Wall clock, ms since 1970. */
  readonly now?: () => number;
  readonly flushIntervalMs?: number;
  /** Batches that wait for a store that is away; past it the oldest is given up. */
  readonly maxWaiting?: number;
}

/**
 * Counts hops in memory and adds the sums to the store in the background, so that no hop waits for it. What could not be
 * stored waits and is sent again under the same id.
 */
export class HopRecorder {
  readonly now: () => number;
  readonly #options: HopRecorderOptions;
  readonly #tally = new HopTally();
  readonly #timer: NodeJS.Timeout;
  readonly #maxWaiting: number;
  #waiting: CountsBatch[] = [];
  #flushing: Promise<void> | undefined;
  #away = false;

  constructor(options: HopRecorderOptions) {
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.#maxWaiting = options.maxWaiting ?? 100;
    this.#timer = setInterval(() => void this.flush(), options.flushIntervalMs ?? 2000).unref();
  }

  /** Neither waits nor throws. */
  saw(hop: AnsweredHop): void {
    // The very time that the session keeps: its answer is set against it later.
    this.#tally.count(watchHop(hop), hop.after?.shownAtMs ?? this.now());
  }

  /** A hop got no screen, for a fault of this side. */
  sawFailure(): void {
    this.#tally.countFailure(this.now());
  }

  /** Adds what was counted so far to the store. Never rejects: while the store is away the counts wait. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Ends the background work after a last flush. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  async #flush(): Promise<void> {
    for (const [hour, counts] of this.#tally.take()) this.#waiting.push({ id: this.#options.newId(), hour, counts });
    const lost = this.#waiting.splice(0, Math.max(0, this.#waiting.length - this.#maxWaiting));
    const amount = lost.reduce((sum, { counts }) => sum + counts.size, 0);
    if (amount > 0) this.#tally.countLoss(amount, this.now());
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      if (!(await this.#add(batch))) return;
      this.#waiting.shift();
    }
  }

  async #add(batch: CountsBatch): Promise<boolean> {
    try {
      await this.#options.store.add(batch);
      if (this.#away) this.#options.logger.info('analytics are stored again');
      this.#away = false;
      return true;
    } catch (error) {
      if (!this.#away) this.#options.logger.warn({ err: error }, 'analytics cannot be stored; they wait in memory');
      this.#away = true;
      return false;
    }
  }
}
