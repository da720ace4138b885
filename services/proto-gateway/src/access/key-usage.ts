import type { RateLimitHit, RateLimitStore } from '@mlango/service-kit/rate-limit';

const USAGE_WINDOW_MS = 60_000;

/** Usage of a key in its current minute. */
export interface KeyWindow {
  readonly used: number;
  /** Time until the next minute, in ms. */
  readonly resetMs: number;
}

export interface KeyUsage {
  /** Counts for the rate limit, and stores the usage of keys. */
  readonly store: RateLimitStore;
  requests(name: string): KeyWindow;
  bytes(name: string): KeyWindow;
  /** Adds bytes of a reply to the minute of a key, at all replicas. Never rejects. */
  addBytes(name: string, bytes: number): Promise<void>;
}

const NOTHING: KeyWindow = { used: 0, resetMs: 0 };

/**
 * Tracks the usage of each key in its minute, from the counts of the rate limit store. Usage at other replicas is seen with the
 * next reply of this one.
 *
 * @param now milliseconds of a monotonic clock
 */
export function keyUsage(store: RateLimitStore, now: () => number): KeyUsage {
  const usageByKey = new Map<string, { readonly used: number; readonly endsAt: number }>();
  const note = (key: string, { count, resetMs }: RateLimitHit): void => {
    usageByKey.set(key, { used: count, endsAt: now() + resetMs });
  };
  const read = (key: string): KeyWindow => {
    const standing = usageByKey.get(key);
    const resetMs = Math.ceil((standing?.endsAt ?? 0) - now());
    return standing === undefined || resetMs <= 0 ? NOTHING : { used: standing.used, resetMs };
  };
  return {
    store: {
      ...store,
      async hit(key, windowMs, cost) {
        const hit = await store.hit(key, windowMs, cost);
        if (key.startsWith(REQUESTS)) note(key, hit);
        return hit;
      },
    },
    requests: (name) => read(`${REQUESTS}${name}`),
    bytes: (name) => read(`${BYTES}${name}`),
    async addBytes(name, bytes) {
      if (bytes < 1) return;
      const key = `${BYTES}${name}`;
      // An unavailable store limits no caller, as for rate limits.
      await store.hit(key, USAGE_WINDOW_MS, bytes).then(
        (hit) => note(key, hit),
        () => undefined,
      );
    },
  };
}

/** Prefix of the gate's rate limit key for an API key. */
export const REQUESTS = 'key:';
const BYTES = 'key-bytes:';
