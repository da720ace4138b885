import { failedField, fieldOf, hourMs, hourOf, slotMs, uncountedField, wayFieldOf } from './counts.js';
import { bucketOf } from './log-buckets.js';
import type { LookedAt, WatchedHop } from './watched-hop.js';

/** Fields of all hours together; a few hundred screens stay far below. */
const defaultMaxFields = 20_000;

/**
 * Adds hops up in memory until somebody takes the sums away. Bounded: past the most fields, new ones are given up and
 * their number is counted instead. Counting is a handful of map look-ups; nothing is written anywhere.
 */
export class HopTally {
  #hours = new Map<number, Map<string, number>>();
  #fields = 0;
  readonly #maxFields: number;

  constructor(options: { maxFields?: number } = {}) {
    this.#maxFields = options.maxFields ?? defaultMaxFields;
  }

  /** Counts one hop that was answered at `atMs` (since 1970). */
  count(hop: WatchedHop, atMs: number): void {
    const { flow, screen, left, shown } = hop;
    const hour = hourOf(atMs);
    this.#add(hour, fieldOf(flow, screen, 'outcome', hop.outcome), 1);
    this.#add(hour, fieldOf(flow, screen, 'answer', bucketOf(hop.answerMs)), 1);
    if (shown !== undefined && !hop.ended) {
      if (hop.isVisit) this.#add(hour, fieldOf(flow, shown.screen, 'visit', shown.flow.version), 1);
      this.#addOpen(shown, atMs, 1);
    }
    if (left?.sinceMs === undefined || shown === undefined) return;
    const way = wayFieldOf(left.flow, left.screen, 'way', bucketOf(atMs - left.sinceMs), shown.screen);
    this.#add(hour, way, 1);
    // Where the screen was shown it is now answered: in the hour and slot of then.
    this.#addOpen(left, left.sinceMs, -1);
  }

  /** Counts a hop that got no screen. */
  countFailure(atMs: number): void {
    this.#add(hourOf(atMs), failedField, 1);
  }

  /** Counts what was given up elsewhere, in number of counts. */
  countLoss(amount: number, atMs: number): void {
    this.#add(hourOf(atMs), uncountedField, amount);
  }

  /** The sums since the last call, which then begin anew. */
  take(): ReadonlyMap<number, ReadonlyMap<string, number>> {
    const taken = this.#hours;
    this.#hours = new Map();
    this.#fields = 0;
    return taken;
  }

  #addOpen({ flow, screen, from }: LookedAt, atMs: number, amount: number): void {
    this.#add(hourOf(atMs), wayFieldOf(flow, screen, 'open', slotOf(atMs), from), amount);
  }

  #add(hour: number, field: string, amount: number): void {
    let counts = this.#hours.get(hour);
    if (counts === undefined) {
      counts = new Map();
      this.#hours.set(hour, counts);
    }
    const known = counts.get(field);
    if (known !== undefined) {
      counts.set(field, known + amount);
      return;
    }
    if (this.#fields >= this.#maxFields && field !== uncountedField) {
      this.#add(hour, uncountedField, 1);
      return;
    }
    this.#fields += 1;
    counts.set(field, amount);
  }
}

function slotOf(atMs: number): number {
  return Math.floor((atMs % hourMs) / slotMs);
}
