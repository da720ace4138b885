import type { RateLimitHit, RateLimitStore } from './rate-limit-store.js';

interface Waiting {
  /** The cost of the hits before it and of itself. */
  readonly upTo: number;
  readonly resolve: (hit: RateLimitHit) => void;
  readonly reject: (error: unknown) => void;
}

interface Batch {
  readonly key: string;
  readonly windowMs: number;
  cost: number;
  readonly hits: Waiting[];
}

/**
 * Counts the hits of one key that come in one turn of the event loop as one, by what they cost together: under load most come from few
 * addresses. Each is told its own count, as if it had come alone.
 *
 * @param atEndOfTurn does work once the turn is over.
 */
export function hitsTogether(store: RateLimitStore, atEndOfTurn: (work: () => void) => void): RateLimitStore {
  const open = new Map<string, Batch>();

  const close = (batch: Batch): void => {
    const { key, windowMs, cost, hits } = batch;
    if (open.get(key) !== batch) return;
    open.delete(key);
    store.hit(key, windowMs, cost).then(
      ({ count, resetMs }) => {
        for (const { upTo, resolve } of hits) resolve({ count: count - cost + upTo, resetMs });
      },
      (error: unknown) => {
        for (const { reject } of hits) reject(error);
      },
    );
  };

  const batchOf = (key: string, windowMs: number): Batch => {
    const known = open.get(key);
    if (known?.windowMs === windowMs) return known;
    // One key is hardly ever counted in two windows; in their order they are right all the same.
    if (known !== undefined) close(known);
    const batch = { key, windowMs, cost: 0, hits: [] };
    open.set(key, batch);
    atEndOfTurn(() => close(batch));
    return batch;
  };

  return {
    hit: (key, windowMs, cost = 1) =>
      new Promise((resolve, reject) => {
        const batch = batchOf(key, windowMs);
        batch.cost += cost;
        batch.hits.push({ upTo: batch.cost, resolve, reject });
      }),
    forget: (key, windowMs) => {
      const batch = open.get(key);
      if (batch !== undefined) close(batch);
      return store.forget(key, windowMs);
    },
  };
}
