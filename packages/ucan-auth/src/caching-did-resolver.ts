import { BoundedMap } from './bounded-map.js';
import type { DidResolver, KeyResolution } from './did-resolver.js';

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
  /** Look-ups at once; further ones are `unavailable`. Default 64. */
  readonly concurrency?: number;
  /** Callers that may wait for look-ups which others began; further ones are `unavailable`. Default 256. */
  readonly waitingLimit?: number;
  /** Unix seconds. Default: the system's clock. */
  readonly now?: () => number;
}

/**
 * A resolver in front of a slow source: one look-up at a time per DID, within a time limit, answers kept, absence kept for
 * less long, failures not kept. Text that is not a DID of the method is never looked up.
 */
export function cachingDidResolver(method: string, source: KeySource, options: CachingOptions = {}): DidResolver {
  const { timeoutMs = 1800, cacheSeconds = 300, negativeCacheSeconds = 60, cacheEntries = 10_000 } = options;
  const { concurrency = 64, waitingLimit = 256, now = () => Math.floor(Date.now() / 1000) } = options;
  const form = new RegExp(`^did:${method}:[A-Za-z0-9._:-]{1,200}$`);
  const known = new BoundedMap<string, { readonly keys: readonly Uint8Array[]; readonly until: number }>(cacheEntries);
  const inFlight = new Map<string, Promise<KeyResolution>>();
  let waiting = 0;

  async function lookUp(did: string, isCurrent: () => boolean): Promise<KeyResolution> {
    try {
      const keys = await withDeadline((signal) => source(did, signal), timeoutMs);
      // Nothing is kept for a DID that was forgotten while it was looked up.
      if (isCurrent()) {
        known.set(did, { keys, until: now() + (keys.length > 0 ? cacheSeconds : negativeCacheSeconds) });
      }
      return { ok: true, keys };
    } catch {
      return { ok: false, code: 'unavailable' };
    }
  }

  async function joined(resolution: Promise<KeyResolution>): Promise<KeyResolution> {
    if (waiting >= waitingLimit) return { ok: false, code: 'unavailable' };
    waiting += 1;
    try {
      return await resolution;
    } finally {
      waiting -= 1;
    }
  }

  return {
    method,
    async resolve(did) {
      if (!form.test(did)) return { ok: true, keys: [] };
      const entry = known.get(did);
      if (entry !== undefined && entry.until > now()) return { ok: true, keys: entry.keys };
      const running = inFlight.get(did);
      if (running !== undefined) return joined(running);
      if (inFlight.size >= concurrency) return { ok: false, code: 'unavailable' };
      const isCurrent = () => inFlight.get(did) === resolution;
      const resolution: Promise<KeyResolution> = lookUp(did, () => isCurrent()).finally(() => {
        if (isCurrent()) inFlight.delete(did);
      });
      inFlight.set(did, resolution);
      return resolution;
    },
    forget(did) {
      known.delete(did);
      inFlight.delete(did);
    },
  };
}

/** The source is told to stop when time is up, and not waited for if it does not. */
async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error('no answer in time'));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
