import { FairSemaphore } from '@mlango/async/fair-semaphore';

/** The sender of a token. */
export interface Sender {
  /** Bounds and shares the cost of the token: an IP address, or an IPv6 network. */
  readonly address?: string | undefined;
}

/** A limit per holder (an address or a DID) and period. The service counts. */
export interface Allowance {
  /** Takes one unit, before the work that it is for. Rejects if the count is unavailable. */
  take(holder: string): Promise<Taken>;
}

export type Taken = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * Resolves the keys of one DID method, for issuers that are not did:key.
 *
 * `resolve` never rejects and has a time limit. Callers may pass any text that looks like a DID of the method, often,
 * so the resolver bounds its requests, reads, cache and concurrency.
 */
export interface DidResolver {
  /** The method, such as `ixo` for `did:ixo:…`. */
  readonly method: string;
  resolve(did: string, lookup?: KeyLookup): Promise<KeyResolution>;
  /** Drops the cached keys of a DID, so that a rotated key is read again. */
  forget(did: string): void;
}

/** The caller of a key lookup. */
export interface KeyLookup {
  /** Concurrent lookups are shared fairly by address. Default: one address for all lookups without one. */
  readonly address?: string | undefined;
  /** Called before a lookup is sent, but not if the keys are cached or a running lookup is joined. */
  readonly takeAllowance?: () => Promise<Taken>;
}

/** Cache period of keys if the resolver does not give one, in seconds. */
export const KEYS_SECONDS = 300;

/**
 * `keys`: raw Ed25519 public keys (32 bytes each) that may sign for the DID now, empty if the DID does not exist or has none. `until`:
 * end of their cache period, Unix seconds, default 300 s from now. `unavailable`: the source did not answer. `rate_limited`: the
 * allowance of the address is used up, so no lookup was sent.
 */
export type KeyResolution =
  | { readonly ok: true; readonly keys: readonly Uint8Array[]; readonly until?: number }
  | { readonly ok: false; readonly code: 'unavailable' }
  | { readonly ok: false; readonly code: 'rate_limited'; readonly retryAfterSeconds: number };

export interface LookupLimits {
  /** Concurrent key lookups. Default 64. */
  readonly lookUps?: number | undefined;
  /** Callers that wait for a running key lookup of another caller. Default 256. */
  readonly waiting?: number | undefined;
  /** Concurrent reads of services' DID documents. Default 16. */
  readonly serviceDids?: number | undefined;
}

/**
 * Semaphores for the lookups that tokens cause. Each gives an address at most a quarter of its total; each permit is released within
 * about 2 seconds, the time limit of a lookup.
 */
export function lookupPools({ lookUps = 64, waiting = 256, serviceDids = 16 }: LookupLimits = {}) {
  const pool = (name: string, total: number) =>
    new FairSemaphore({ name, total, shares: { address: Math.ceil(total / 4) } });
  return {
    lookUps: pool('key_look_ups', lookUps),
    waiting: pool('key_look_up_waits', waiting),
    serviceDids: pool('service_dids', serviceDids),
  };
}

export type LookupPools = ReturnType<typeof lookupPools>;
