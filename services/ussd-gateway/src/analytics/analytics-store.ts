import type { Counts, CountsByHour } from './counts.js';

/** Counts of one hour that are added together or not at all. */
export interface CountsBatch {
  /** Unique; a batch that is sent again under its id is not added again. */
  readonly id: string;
  readonly hour: number;
  readonly counts: Counts;
}

/**
 * Counts by hour, over all processes that share the store.
 *
 * Guarantees: `add` is atomic and adds a batch once, however often it is sent within ten minutes. Hours older than
 * `keptHours` disappear. A store that cannot be reached rejects; the batch was then added whole or not at all.
 */
export interface AnalyticsStore {
  add(batch: CountsBatch): Promise<void>;

  /** The hours from `fromHour` to `toHour`, both included; those without counts may be missing. */
  read(fromHour: number, toHour: number): Promise<CountsByHour>;
}

/** How long an hour is kept after it began. */
export const keptHours = 24 * 8;
