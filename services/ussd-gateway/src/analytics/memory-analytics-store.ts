import { type AnalyticsStore, type CountsBatch, type CountsByHour, retentionHours } from './counts.js';

/** Remembered ids of batches: more than are ever pending. */
const maxBatches = 1000;

/** Counts of one process. */
export class MemoryAnalyticsStore implements AnalyticsStore {
  readonly #hours = new Map<number, Map<string, number>>();
  readonly #added = new Set<string>();

  async add(batch: CountsBatch): Promise<void> {
    if (this.#added.has(batch.id)) return;
    this.#added.add(batch.id);
    const [oldest] = this.#added;
    if (this.#added.size > maxBatches && oldest !== undefined) this.#added.delete(oldest);
    const counts = this.#hours.get(batch.hour) ?? new Map<string, number>();
    this.#hours.set(batch.hour, counts);
    for (const [field, amount] of batch.counts) counts.set(field, (counts.get(field) ?? 0) + amount);
    const latest = Math.max(...this.#hours.keys());
    for (const hour of this.#hours.keys()) if (hour <= latest - retentionHours) this.#hours.delete(hour);
  }

  async read(fromHour: number, toHour: number): Promise<CountsByHour> {
    const hours = [...this.#hours].filter(([hour]) => hour >= fromHour && hour <= toHour);
    return new Map(hours.map(([hour, counts]) => [hour, new Map(counts)]));
  }
}
