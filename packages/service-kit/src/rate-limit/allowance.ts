import type { RateLimitStore } from './rate-limit-store.js';

/** So much of something in each window of a holder, such as an address or a user. */
export interface Allowance {
  /** Takes one, or so many, before what they are for is done. Rejects when the store does. */
  take(holder: string, times?: number): Promise<Taken>;
}

/** An allowance of which what was taken can be given back. */
export interface ReturnableAllowance extends Allowance {
  /** Gives one back that was taken in this window. Rejects when the store does. */
  giveBack(holder: string): Promise<void>;
}

export type Taken = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

export interface AllowanceOptions {
  readonly store: RateLimitStore;
  /** Of what it is: allowances of one store with different names count apart. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** Counts in a store, so for all replicas together where that is shared. */
export function allowance({ store, name, max, windowMs }: AllowanceOptions): ReturnableAllowance {
  return {
    async take(holder, times = 1) {
      const { count, resetMs } = await store.hit(`${name}:${holder}`, windowMs, times);
      return count <= max ? { ok: true } : { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
    },
    async giveBack(holder) {
      await store.hit(`${name}:${holder}`, windowMs, -1);
    },
  };
}
