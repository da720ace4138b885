import { LRUCache } from 'lru-cache';
import type { Taken } from './allowance.js';
import { type DialPools, dialPools } from './dial-pools.js';
import { type DidResolver, KEYS_SECONDS, type KeyResolution } from './did-resolver.js';

/** Reads the keys of a DID from wherever they are kept; rejects when nobody answers properly. */
export type KeySource = (did: string, signal: AbortSignal) => Promise<readonly Uint8Array[]>;

export interface CachingOptions {
  /** Time limit of one look-up. Default 1800. */
  readonly timeoutMs?: number;
  /** How long keys are kept. Default 300. */
  readonly cacheSeconds?: number;
  /** How long it is kept that a DID has none. Default 60. */
  readonly negativeCacheSeconds?: number;
  /** DIDs remembered. Default 10,000. */
  readonly cacheEntries?: number;
  /** Look-ups at once, of which an address has a quarter; further ones are `unavailable`. Default 64. */
  readonly concurrency?: number;
  /** Callers that may wait for look-ups which others began, of which an address has a quarter. Default 256. */
  readonly waitingLimit?: number;
  /** Pools in place of those of `concurrency` and `waitingLimit`, for a process that shows them. */
  readonly pools?: Pick<DialPools, 'lookUps' | 'waiting'>;
  /** Unix seconds. Default: the system's clock. */
  readonly now?: () => number;
}

/**
 * A resolver in front of a slow source: one look-up at a time per DID, within a time limit and paid for before it is made;
 * answers kept, absence kept for less long, failures not kept. Text that is not a DID of the method is never looked up.
 */
export function cachingDidResolver(method: string, source: KeySource, options: CachingOptions = {}): DidResolver {
  const { timeoutMs = 1800, cacheSeconds = KEYS_SECONDS, negativeCacheSeconds = 60, cacheEntries = 10_000 } = options;
  const { concurrency, waitingLimit, now = () => Math.floor(Date.now() / 1000) } = options;
  const form = new RegExp(`^did:${method}:[A-Za-z0-9._:-]{1,200}$`);
  const known = new LRUCache<string, { readonly keys: readonly Uint8Array[]; readonly until: number }>({
    max: cacheEntries,
  });
  const inFlight = new Map<string, Promise<KeyResolution>>();
  /** Those of one address who want the same at the same time pay together. */
  const payments = new Map<string, Promise<Taken | undefined>>();
  const { lookUps, waiting } = options.pools ?? dialPools({ lookUps: concurrency, waiting: waitingLimit });

  /** What is known, or being looked up. */
  function atHand(did: string, address: string): KeyResolution | Promise<KeyResolution> | undefined {
    const entry = known.get(did);
    if (entry !== undefined && entry.until > now()) return { ok: true, ...entry };
    const running = inFlight.get(did);
    return running === undefined ? undefined : joined(running, address);
  }

  async function joined(resolution: Promise<KeyResolution>, address: string): Promise<KeyResolution> {
    const permit = waiting.tryAcquire({ address });
    if ('full' in permit) return UNAVAILABLE;
    try {
      return await resolution;
    } finally {
      permit.release();
    }
  }

  function lookUp(did: string, address: string): Promise<KeyResolution> | KeyResolution {
    const permit = lookUps.tryAcquire({ address });
    if ('full' in permit) return UNAVAILABLE;
    const isCurrent = () => inFlight.get(did) === resolution;
    const ask = async (): Promise<KeyResolution> => {
      try {
        const keys = await within(timeoutMs, (signal) => source(did, signal));
        // Nothing is kept for a DID that was forgotten while it was looked up.
        const until = now() + (keys.length > 0 ? cacheSeconds : negativeCacheSeconds);
        if (isCurrent()) known.set(did, { keys, until });
        return { ok: true, keys, until };
      } catch {
        return UNAVAILABLE;
      } finally {
        permit.release();
        if (isCurrent()) inFlight.delete(did);
      }
    };
    const resolution = ask();
    inFlight.set(did, resolution);
    return resolution;
  }

  return {
    method,
    async resolve(did, { address = '', pay } = {}) {
      if (!form.test(did)) return { ok: true, keys: [] };
      const before = atHand(did, address);
      if (before !== undefined) return before;
      if (pay === undefined) return lookUp(did, address);
      const payer = `${did} ${address}`;
      const payment = payments.get(payer) ?? pay().catch(() => undefined);
      payments.set(payer, payment);
      const taken = await payment;
      try {
        if (taken === undefined) return UNAVAILABLE;
        if (!taken.ok) return { ok: false, code: 'rate_limited', retryAfterSeconds: taken.retryAfterSeconds };
        // Somebody else may have begun while this was paid for.
        return atHand(did, address) ?? lookUp(did, address);
      } finally {
        // Only now that the look-up has begun: whoever came between would have paid once more.
        if (payments.get(payer) === payment) payments.delete(payer);
      }
    },
    forget(did) {
      known.delete(did);
      inFlight.delete(did);
    },
  };
}

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;

/** The source is told to stop when time is up, and not waited for if it does not. */
async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
  });
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
  }
}
