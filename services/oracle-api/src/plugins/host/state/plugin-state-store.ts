import type { KvPutOutcome } from '../../api/plugin-storage.js';

/** Owner of a state: a plugin and a user, or the empty text for shared state. */
export interface StateOwner {
  readonly plugin: string;
  readonly ownerDid: string;
}

export interface StateRow {
  readonly key: string;
  /** A JSON text. */
  readonly value: string;
  readonly version: number;
}

export interface StatePut {
  readonly key: string;
  readonly value: string;
  /** 0: only if the key is absent. Undefined: unconditional. */
  readonly version: number | undefined;
  readonly expiresAt: Date | undefined;
  /** Maximum number of keys of an owner. */
  readonly keys: number;
  readonly at: Date;
}

/**
 * Key-value state of plugins. Entries that are expired at `at` count as absent.
 *
 * Atomicity: of two puts with the same `version`, one returns `changed`; an owner never has more than `keys`, also under concurrency.
 * Order: versions of a key only increase, also across deletions.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export interface PluginStateStore {
  find(owner: StateOwner, key: string, at: Date): Promise<StateRow | undefined>;
  put(owner: StateOwner, put: StatePut): Promise<Exclude<KvPutOutcome, { code: 'too_large' }>>;
  delete(owner: StateOwner, key: string, version: number | undefined, at: Date): Promise<boolean>;
  /** By code unit of their keys. */
  list(owner: StateOwner, which: { prefix: string; after: string; limit: number; at: Date }): Promise<StateRow[]>;
}
