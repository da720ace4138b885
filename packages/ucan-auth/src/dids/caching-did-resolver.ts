import { SingleFlight } from '@mlango/async/single-flight';
import { within } from '@mlango/async/within';
import { LRUCache } from 'lru-cache';
import {
  type DidResolver,
  KEYS_SECONDS,
  type KeyResolution,
  type LookupPools,
  lookupPools,
  type Taken,
} from './did-resolver.js';

/** Reads the keys of a DID from their source. Rejects if the source does not give a valid answer. */
export type KeySource = (did: string, signal: AbortSignal) => Promise<readonly Uint8Array[]>;

export interface CachingOptions {
  /** Time limit of one lookup, in milliseconds. Default 1800. */
  readonly timeoutMs?: number;
  /** Cache period of keys. Default 300. */
  readonly cacheSeconds?: number;
  /** Cache period of the absence of keys. Default 60. */
  readonly negativeCacheSeconds?: number;
  /** Cached DIDs. Default 10,000. */
  readonly cacheEntries?: number;
  /** Concurrent lookups, an address at most a quarter of them; further lookups are `unavailable`. Default 64. */
  readonly concurrency?: number;
  /** Callers that may join running lookups, an address at most a quarter of them. Default 256. */
  readonly waitingLimit?: number;
  /** Semaphores instead of those of `concurrency` and `waitingLimit`, for a process that exports their metrics. */
  readonly pools?: Pick<LookupPools, 'lookUps' | 'waiting'>;
  /** Unix seconds. Default: the system's clock. */
  readonly now?: () => number;
}

/**
 * A resolver for a slow source. Lookups are single-flight per DID, have a time limit, and take from the caller's allowance first.
 * Keys are cached, absence for a shorter period, failures not at all. Text that is not a DID of the method is never looked up.
 */
export function cachingDidResolver(method: string, source: KeySource, options: CachingOptions = {}): DidResolver {
  const { timeoutMs = 1800, cacheSeconds = KEYS_SECONDS, negativeCacheSeconds = 60, cacheEntries = 10_000 } = options;
  const { concurrency, waitingLimit, now = () => Math.floor(Date.now() / 1000) } = options;
  const form = new RegExp(`^did:${method}:[A-Za-z0-9._:-]{1,200}$`);
  const known = new LRUCache<string, { readonly keys: readonly Uint8Array[]; readonly until: number }>({
    max: cacheEntries,
  });
  const flight = new SingleFlight<string, KeyResolution>();
  /** Pending allowances by DID and address: concurrent callers of one address take one unit together. */
  const pendingAllowances = new Map<string, Promise<Taken | undefined>>();
  const { lookUps, waiting } = options.pools ?? lookupPools({ lookUps: concurrency, waiting: waitingLimit });

  /** The cached or pending keys. */
  function findOrJoin(did: string, address: string): KeyResolution | Promise<KeyResolution> | undefined {
    const entry = known.get(did);
    if (entry !== undefined && entry.until > now()) return { ok: true, ...entry };
    const running = flight.running(did);
    return running === undefined ? undefined : join(running, address);
  }

  function join(resolution: Promise<KeyResolution>, address: string): KeyResolution | Promise<KeyResolution> {
    const permit = waiting.tryAcquire({ address });
    return 'full' in permit ? UNAVAILABLE : resolution.finally(() => permit.release());
  }

  function lookUp(did: string, address: string): Promise<KeyResolution> | KeyResolution {
    const permit = lookUps.tryAcquire({ address });
    if ('full' in permit) return UNAVAILABLE;
    return flight.run(did, async (isCurrent) => {
      try {
        const keys = await within(timeoutMs, 'the key lookup', source(did, AbortSignal.timeout(timeoutMs)));
        // `forget` during the lookup makes its result obsolete.
        const until = now() + (keys.length > 0 ? cacheSeconds : negativeCacheSeconds);
        if (isCurrent()) known.set(did, { keys, until });
        return { ok: true, keys, until };
      } catch {
        return UNAVAILABLE;
      } finally {
        permit.release();
      }
    });
  }

  return {
    method,
    async resolve(did, { address = '', takeAllowance } = {}) {
      if (!form.test(did)) return { ok: true, keys: [] };
      const existing = findOrJoin(did, address);
      if (existing !== undefined) return existing;
      if (takeAllowance === undefined) return lookUp(did, address);
      const key = `${did} ${address}`;
      const pending = pendingAllowances.get(key) ?? takeAllowance().catch(() => undefined);
      pendingAllowances.set(key, pending);
      const taken = await pending;
      try {
        if (taken === undefined) return UNAVAILABLE;
        if (!taken.ok) return { ok: false, code: 'rate_limited', retryAfterSeconds: taken.retryAfterSeconds };
        // Another caller may have started the lookup in the meantime.
        return findOrJoin(did, address) ?? lookUp(did, address);
      } finally {
        // Not before the lookup is started: a concurrent caller would take a second unit.
        if (pendingAllowances.get(key) === pending) pendingAllowances.delete(key);
      }
    },
    forget(did) {
      known.delete(did);
      flight.forget(did);
    },
  };
}

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;
