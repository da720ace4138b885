import type { z } from 'zod';

/** What JSON can hold. */
export type KvValue = z.core.util.JSONType;

export interface KvEntry {
  /** 1 to 200 of `A-Z a-z 0-9 _ . : / @ $ -`. */
  readonly key: string;
  readonly value: KvValue;
  /** Grows with every `put`, and is never again the same for a key. At least 1. */
  readonly version: number;
}

export interface KvPut {
  /** Only where this is the version that is there; 0: only where nothing is. Without it whatever is there is replaced. */
  readonly version?: number;
  /** From then on it is as if it had never been put. Without it, it stays. */
  readonly expiresAt?: Date;
}

/** `changed`: another version is there. `full`: 500 keys are there. `too_large`: over 16,384 bytes as JSON in UTF-8. */
export type KvPutOutcome =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly code: 'changed' | 'full' | 'too_large' };

/**
 * State of one plugin, of one user or of none, without a table of its own.
 *
 * Atomicity: of two puts with the same `version` one is `changed`.
 * Failure: rejects when the database cannot be reached, and with a `PluginError` for a key that is none or a value that JSON cannot hold.
 */
export interface Kv {
  get(key: string): Promise<KvEntry | undefined>;
  put(key: string, value: KvValue, how?: KvPut): Promise<KvPutOutcome>;
  /** False where nothing is, or where `version` is not what is there. */
  delete(key: string, how?: Pick<KvPut, 'version'>): Promise<boolean>;
  /** In the order of their keys, by code unit: those that begin with `prefix` and come after `after`; 100 at most. */
  list(which?: { readonly prefix?: string; readonly after?: string; readonly limit?: number }): Promise<KvEntry[]>;
}

/** State of one plugin. What belongs to a user is reached with that user only: in a turn as `rtCtx.kv`, in a route by its caller. */
export interface PluginKv {
  /** What belongs to no user. */
  readonly shared: Kv;
  /** Of whoever was authenticated for the request. @throws where nobody was. */
  ofCaller(request: object): Kv;
}
