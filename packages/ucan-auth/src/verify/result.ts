import { hash } from 'node:crypto';
import { SingleFlight } from '@mlango/async/single-flight';
import { LRUCache } from 'lru-cache';
import type { RefusalCode } from '../decode/refusal.js';
import type { Capability } from '../decode/ucan-block.js';

/** An accepted token. */
export interface VerifiedToken {
  /** DID that signed the token. */
  readonly issuer: string;
  readonly audience: string;
  /** CID of the token's own UCAN. */
  readonly cid: string;
  /** Capabilities with a valid proof chain. Empty if only the identity of the issuer was required. */
  readonly capabilities: readonly Capability[];
  /** The token's own expiry, Unix seconds. */
  readonly expiresAt: number;
  /** Earliest expiry on `path`, Unix seconds. */
  readonly validUntil: number;
  /** Latest time to cache the result, Unix seconds: a key that was looked up may be rotated. Infinite without lookups. */
  readonly freshUntil: number;
  /** UCANs of the proof chain, from the token's own to the first. */
  readonly path: readonly { readonly cid: string; readonly issuer: string }[];
}

export type Validation =
  | { readonly ok: true; readonly result: VerifiedToken }
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      /** With `rate_limited`. */
      readonly retryAfterSeconds?: number;
    };

/**
 * Caches accepted tokens until they expire, by the SHA-256 of their text; least recently used entries are evicted. Refusals are not
 * cached. Concurrent verifications of equal tokens are single-flight. Revocations are not considered: callers check them for each use.
 */
export class ResultCache {
  readonly #results: LRUCache<string, VerifiedToken>;
  readonly #flight = new SingleFlight<string, Validation>();

  constructor(limit: number) {
    this.#results = new LRUCache({ max: limit });
  }

  /**
   * The cached result if it is fresh at `nowSeconds`, else that of `verify`, which must not reject.
   * @param key of `cacheKey`
   */
  getOrVerify(key: string, nowSeconds: number, verify: () => Promise<Validation>): Validation | Promise<Validation> {
    const cached = this.#results.get(key);
    if (cached !== undefined && Math.min(cached.validUntil, cached.freshUntil) > nowSeconds) {
      return { ok: true, result: cached };
    }
    this.#results.delete(key);
    return this.#flight.run(key, async (isCurrent) => {
      const validated = await verify();
      // `forget` during the verification makes its result obsolete.
      if (isCurrent() && validated.ok) this.#results.set(key, validated.result);
      return validated;
    });
  }

  drop(key: string): void {
    this.#results.delete(key);
  }

  /** Drops each result with a signature of `did` on its path, and detaches running verifications. */
  forget(did: string): void {
    this.#flight.forgetAll();
    for (const [key, { path }] of this.#results) {
      if (path.some(({ issuer }) => issuer === did)) this.#results.delete(key);
    }
  }
}

/** Cache key of a token for one policy. */
export function cacheKey(policy: string, token: string): string {
  return `${policy} ${hash('sha256', token, 'base64')}`;
}
