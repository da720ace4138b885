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
  record(hop: AnsweredHop): void {
    // The very time that the session keeps: its answer is set against it later.
    this.#tally.count(toHopEvent(hop), hop.after?.shownAtMs ?? this.now());
  }

  /** A hop got no screen, for a fault of this side. */
  recordFailure(): void {
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

/** Fields of all hours together; a few hundred screens stay far below. */
const defaultMaxFields = 20_000;

/** What was counted of a field, and of those that begin with the same parts, by their next one. */
interface Branch {
  /** Undefined where no field ends here. */
  amount: number | undefined;
  readonly further: Map<Part, Branch>;
}

/**
 * Adds hops up in memory until somebody takes the sums away. Bounded: past the most fields, new ones are given up and
 * their number is counted instead. Counting is a handful of map look-ups; names of fields are written when they are taken.
 */
export class HopTally {
  #hours = new Map<number, Branch>();
  #fields = 0;
  readonly #maxFields: number;

  constructor(options: { maxFields?: number } = {}) {
    this.#maxFields = options.maxFields ?? defaultMaxFields;
  }

  /** Counts one hop that was answered at `atMs` (since 1970). */
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
    // Where the screen was shown it is now answered: in the hour and slot of then.
    this.#addOpen(left, left.sinceMs, -1);
  }

  /** Counts a hop that got no screen. */
  countFailure(atMs: number): void {
    this.#add(hourOf(atMs), [failedField], 1);
  }

  /** Counts what was given up elsewhere, in number of counts. */
  countLoss(amount: number, atMs: number): void {
    this.#add(hourOf(atMs), [uncountedField], amount);
  }

  /** The sums since the last call, which then begin anew. */
  take(): ReadonlyMap<number, ReadonlyMap<string, number>> {
    const taken = new Map([...this.#hours].map(([hour, branch]) => [hour, new Map(fieldsOf(branch, []))]));
    this.#hours = new Map();
    this.#fields = 0;
    return taken;
  }

  #addOpen({ flow, screen, from }: ShownScreen, atMs: number, amount: number): void {
    this.#add(hourOf(atMs), [flow.id, screen, 'open', slotOf(atMs), from, flow.version], amount);
  }

  #add(hour: number, field: readonly Part[], amount: number): void {
    const found = this.#find(hour, field);
    if (found?.amount !== undefined) {
      found.amount += amount;
      return;
    }
    if (this.#fields >= this.#maxFields && field[0] !== uncountedField) {
      this.#add(hour, [uncountedField], 1);
      return;
    }
    this.#fields += 1;
    this.#grow(hour, field).amount = amount;
  }

  #find(hour: number, field: readonly Part[]): Branch | undefined {
    let branch = this.#hours.get(hour);
    for (let at = 0; branch !== undefined && at < field.length; at++) branch = branch.further.get(field[at] ?? '');
    return branch;
  }

  #grow(hour: number, field: readonly Part[]): Branch {
    let branch = branchOf(this.#hours, hour);
    for (const part of field) branch = branchOf(branch.further, part);
    return branch;
  }
}

function branchOf<Key>(branches: Map<Key, Branch>, key: Key): Branch {
  const known = branches.get(key);
  if (known !== undefined) return known;
  const branch: Branch = { amount: undefined, further: new Map() };
  branches.set(key, branch);
  return branch;
}

function* fieldsOf({ amount, further }: Branch, parts: readonly Part[]): Generator<[field: string, amount: number]> {
  if (amount !== undefined) yield [fieldOf(parts), amount];
  for (const [part, branch] of further) yield* fieldsOf(branch, [...parts, part]);
}

function slotOf(atMs: number): number {
  return Math.floor((atMs % hourMs) / slotMs);
}
