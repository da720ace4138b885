import type { RateLimitHit, RateLimitStore } from './rate-limit-store.js';

export interface MemoryRateLimitOptions {
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** Counters stored at most per window length, about 200 bytes each. Default 100,000. */
  readonly maxKeys?: number;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

const DEFAULT_MAX_KEYS = 100_000;
// Each hit removes at most this many ended windows: more than it can add, so they cannot pile up.
const SWEPT_PER_HIT = 2;

/**
 * Counts in this process, for one replica or as the ceiling behind a shared store. No timer; memory stays flat under any number
 * of keys: when full, the oldest window is evicted, which is the next one to end. Windows of different lengths are stored
 * separately: many short ones never evict a long one.
 */
export function memoryRateLimitStore(options: MemoryRateLimitOptions = {}): RateLimitStore {
  const { now = () => performance.now(), maxKeys = DEFAULT_MAX_KEYS } = options;
  // By their length, in the order in which they began.
  const lengths = new Map<number, Map<string, Window>>();

  const sweep = (windows: Map<string, Window>, time: number): void => {
    let checked = 0;
    for (const [key, { endsAt }] of windows) {
      if (windows.size < maxKeys && (endsAt > time || checked >= SWEPT_PER_HIT)) return;
      windows.delete(key);
      checked += 1;
    }
  };

  const count = (key: string, windowMs: number, cost: number): RateLimitHit => {
    const time = now();
    const windows = lengths.get(windowMs) ?? new Map<string, Window>();
    lengths.set(windowMs, windows);
    const current = windows.get(key);
    if (current !== undefined && current.endsAt > time) {
      current.count += cost;
      return { count: current.count, resetMs: Math.max(1, Math.ceil(current.endsAt - time)) };
    }
    windows.delete(key);
    sweep(windows, time);
    windows.set(key, { count: cost, endsAt: time + windowMs });
    return { count: cost, resetMs: windowMs };
  };

  return {
    hit: async (key, windowMs, cost = 1) => count(key, windowMs, cost),
    forget: async (key, windowMs) => void lengths.get(windowMs)?.delete(key),
  };
}
