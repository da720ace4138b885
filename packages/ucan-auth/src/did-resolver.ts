import type { Taken } from './allowance.js';

/**
 * The keys behind one DID method, for issuers that are not did:key.
 *
 * `resolve` never rejects and answers within its own time limit. It may be asked for any text that looks like a DID of its
 * method, by anyone and often: it bounds what it sends, reads, keeps and runs at once.
 */
export interface DidResolver {
  /** The method, such as `ixo` for `did:ixo:…`. */
  readonly method: string;
  resolve(did: string, asking?: Asking): Promise<KeyResolution>;
  /** Drops what is known of a DID, so that a rotated key is read anew. */
  forget(did: string): void;
}

/** For whom a key is looked up. */
export interface Asking {
  /** Look-ups that run at the same time are shared fairly by address. Default: one for all that name none. */
  readonly address?: string | undefined;
  /** Asked before a look-up is made, and not at all where none is: the keys are known, or being looked up by somebody else. */
  readonly pay?: () => Promise<Taken>;
}

/** How long keys are good for where a resolver does not say, in seconds. */
export const KEYS_SECONDS = 300;

/**
 * `keys`: the raw Ed25519 public keys (32 bytes each) that may sign for the DID now; empty when it does not exist or has
 * none; `until`: when they have to be read anew, Unix seconds, default 300 s from now. `unavailable`: nobody could be asked. `rate_limited`: nobody was asked, since it could not be paid for.
 */
export type KeyResolution =
  | { readonly ok: true; readonly keys: readonly Uint8Array[]; readonly until?: number }
  | { readonly ok: false; readonly code: 'unavailable' }
  | { readonly ok: false; readonly code: 'rate_limited'; readonly retryAfterSeconds: number };
