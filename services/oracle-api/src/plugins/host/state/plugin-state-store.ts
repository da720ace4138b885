import type { KvPutOutcome } from '../../api/plugin-storage.js';

/** Whose state: a plugin's, of one user or (the empty text) of none. */
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
  /** 0: only where nothing is. Undefined: whatever is there. */
  readonly version: number | undefined;
  readonly expiresAt: Date | undefined;
  /** So many keys an owner may have. */
  readonly keys: number;
  readonly at: Date;
}

/**
 * What plugins keep without a table of their own. `at` says what has expired: that is as if it were not there.
 *
 * Atomicity: of two puts with the same `version` one is `changed`; an owner never has more than `keys`, also when many put at one time.
 * Order: versions of a key only grow, over deletions too.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface PluginStateStore {
  find(owner: StateOwner, key: string, at: Date): Promise<StateRow | undefined>;
  put(owner: StateOwner, put: StatePut): Promise<Exclude<KvPutOutcome, { code: 'too_large' }>>;
  delete(owner: StateOwner, key: string, version: number | undefined, at: Date): Promise<boolean>;
  /** By code unit of their keys. */
  list(owner: StateOwner, which: { prefix: string; after: string; limit: number; at: Date }): Promise<StateRow[]>;
}
