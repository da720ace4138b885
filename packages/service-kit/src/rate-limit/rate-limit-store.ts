/** Count of a key in its current window. */
export interface RateLimitHit {
  /** The hits of the window including this one; it also counts past a limit. */
  readonly count: number;
  /** Time until the window ends and counting restarts: more than 0, at most `windowMs`. */
  readonly resetMs: number;
}

/**
 * Counts hits per key in fixed windows. A key's window begins with its first hit, not at a full minute, so callers do not retry
 * all at once; later hits do not prolong it. The price of a fixed window: across the border of two windows a caller may have up
 * to twice the limit within one `windowMs`. In return `count` and `resetMs` are exact, as the standard `RateLimit` headers
 * promise, and a key costs one number.
 *
 * Guarantees of every adapter:
 * - Atomic: N hits of cost 1 on a fresh key, however concurrent, see the counts 1 to N, each exactly once.
 * - Keys are independent for any text; one key with two window lengths has two counters.
 * - A counter disappears with its window: storage stays bounded.
 * - Fails by rejecting, never by a made-up count.
 */
export interface RateLimitStore {
  /** Adds `cost` (a whole number, default 1; a negative one returns hits) to the key's window of `windowMs` (a whole number from 1). */
  readonly hit: (key: string, windowMs: number, cost?: number) => Promise<RateLimitHit>;
  /** Ends the key's window of `windowMs` now: the next hit begins another. No effect without a window. */
  readonly forget: (key: string, windowMs: number) => Promise<void>;
}

/** A quota per window and holder, such as an address or a user. */
export interface Allowance {
  /** Takes `times` units (default 1) before the work. Rejects if the store does. */
  take(holder: string, times?: number): Promise<Taken>;
}

/** An allowance with returnable units. */
export interface ReturnableAllowance extends Allowance {
  /** Returns units taken in this window, by default one. Rejects if the store does. */
  giveBack(holder: string, times?: number): Promise<void>;
}

export type Taken = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

export interface AllowanceOptions {
  readonly store: RateLimitStore;
  /** Separates the counts of allowances in one store. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** An allowance counted in a store, for all replicas if the store is shared. */
export function allowance({ store, name, max, windowMs }: AllowanceOptions): ReturnableAllowance {
  return {
    async take(holder, times = 1) {
      const { count, resetMs } = await store.hit(`${name}:${holder}`, windowMs, times);
      return count <= max ? { ok: true } : { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
    },
    async giveBack(holder, times = 1) {
      await store.hit(`${name}:${holder}`, windowMs, -times);
    },
  };
}
