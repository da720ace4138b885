import type { Logger } from '@mlango/service-kit/logging';
import type { AnsweredHop } from '../sessions/run-hop.js';
import {
  type AnalyticsStore,
  type CountsBatch,
  failedField,
  fieldOf,
  hourMs,
  hourOf,
  type Part,
  slotMs,
  uncountedField,
} from './counts.js';
import { type HopEvent, type ShownScreen, toHopEvent } from './hop-event.js';
import { bucketOf } from './sums.js';

export interface HopRecorderOptions {
  readonly store: AnalyticsStore;
  readonly logger: Logger;
  /** Unique ids for batches. */
  readonly newId: () => string;
  /** Wall clock, in ms since 1970. */
  readonly now?: () => number;
  readonly flushIntervalMs?: number;
  /** Batches that wait for an unavailable store; then the oldest is dropped. */
  readonly maxWaiting?: number;
}

/**
 * Counts hops in memory and adds the sums to the store in the background, so that no hop waits for the store. A batch that could not be
 * stored is sent again under the same id.
 */
export class HopRecorder {
  readonly now: () => number;
  readonly #options: HopRecorderOptions;
  readonly #tally = new HopTally();
  readonly #timer: NodeJS.Timeout;
  readonly #maxWaiting: number;
  #waiting: CountsBatch[] = [];
  #flushing: Promise<void> | undefined;
  #isStoreDown = false;

  constructor(options: HopRecorderOptions) {
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.#maxWaiting = options.maxWaiting ?? 100;
    this.#timer = setInterval(() => void this.flush(), options.flushIntervalMs ?? 2000).unref();
  }

  /** Neither waits nor throws. */
  record(hop: AnsweredHop): void {
    // The time in the session record: the next hop is compared with it.
    this.#tally.count(toHopEvent(hop), hop.after?.shownAtMs ?? this.now());
  }

  /** Counts a hop without a screen, by a failure of the gateway. */
  recordFailure(): void {
    this.#tally.countFailure(this.now());
  }

  /** Adds pending counts to the store. Never rejects: while the store is unavailable the counts wait. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Stops the timer and flushes. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  async #flush(): Promise<void> {
    for (const [hour, counts] of this.#tally.take()) this.#waiting.push({ id: this.#options.newId(), hour, counts });
    const dropped = this.#waiting.splice(0, Math.max(0, this.#waiting.length - this.#maxWaiting));
    const amount = dropped.reduce((sum, { counts }) => sum + counts.size, 0);
    if (amount > 0) this.#tally.countDropped(amount, this.now());
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      if (!(await this.#add(batch))) return;
      this.#waiting.shift();
    }
  }

  async #add(batch: CountsBatch): Promise<boolean> {
    const { store, logger } = this.#options;
    try {
      await store.add(batch);
      if (this.#isStoreDown) logger.info('analytics store available');
      this.#isStoreDown = false;
      return true;
    } catch (error) {
      if (!this.#isStoreDown) logger.warn({ err: error }, 'analytics store unavailable, will retry');
      this.#isStoreDown = true;
      return false;
    }
  }
}

/** Fields of all hours together; a few hundred screens need far fewer. */
const defaultMaxFields = 20_000;

/** Sums hops in memory. Bounded: beyond the limit new fields are dropped, and the dropped counts are counted. */
export class HopTally {
  #hours = new Map<number, Map<string, number>>();
  #fields = 0;
  readonly #maxFields: number;

  constructor(options: { maxFields?: number } = {}) {
    this.#maxFields = options.maxFields ?? defaultMaxFields;
  }

  /** Counts a hop that was answered at `atMs` (since 1970). */
  count(hop: HopEvent, atMs: number): void {
    const { flow, screen, left, shown } = hop;
    const hour = hourOf(atMs);
    this.#add(hour, [flow, screen, 'outcome', hop.outcome], 1);
    this.#add(hour, [flow, screen, 'answer', bucketOf(hop.answerMs)], 1);
    if (shown !== undefined && !hop.ended) {
      if (hop.isVisit) this.#add(hour, [flow, shown.screen, 'visit', shown.flow.version], 1);
      this.#addOpen(shown, atMs, 1);
    }
    if (left?.sinceMs === undefined || shown === undefined) return;
    const { id, version } = left.flow;
    this.#add(hour, [id, left.screen, 'way', bucketOf(atMs - left.sinceMs), shown.screen, version], 1);
    // The screen is answered: its open count is reduced in the hour and slot in which it was shown.
    this.#addOpen(left, left.sinceMs, -1);
  }

  /** Counts a hop without a screen. */
  countFailure(atMs: number): void {
    this.#add(hourOf(atMs), [failedField], 1);
  }

  /** Counts dropped counts. */
  countDropped(amount: number, atMs: number): void {
    this.#add(hourOf(atMs), [uncountedField], amount);
  }

  /** The sums since the last call. */
  take(): ReadonlyMap<number, ReadonlyMap<string, number>> {
    const taken = this.#hours;
    this.#hours = new Map();
    this.#fields = 0;
    return taken;
  }

  #addOpen({ flow, screen, from }: ShownScreen, atMs: number, amount: number): void {
    const slot = Math.floor((atMs % hourMs) / slotMs);
    this.#add(hourOf(atMs), [flow.id, screen, 'open', slot, from, flow.version], amount);
  }

  #add(hour: number, parts: readonly Part[], amount: number): void {
    const counts = this.#hours.get(hour) ?? new Map<string, number>();
    this.#hours.set(hour, counts);
    const field = fieldOf(parts);
    const sum = counts.get(field);
    if (sum === undefined && this.#fields >= this.#maxFields && field !== uncountedField) {
      this.#add(hour, [uncountedField], 1);
      return;
    }
    if (sum === undefined) this.#fields += 1;
    counts.set(field, (sum ?? 0) + amount);
  }
}
