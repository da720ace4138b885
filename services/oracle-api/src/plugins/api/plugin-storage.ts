import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { SqlDatabase } from '@mlango/service-kit/database';
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

/**
 * The oracle's database, for the plugin's own tables: those query builders of drizzle that work alike on Postgres and PGlite. Use
 * `.returning()` to read what a change wrote. With `PLUGIN_ROLES=on` Postgres refuses every other table.
 */
export interface PluginDatabase
  extends Pick<SqlDatabase<Record<string, unknown>>, 'select' | 'insert' | 'update' | 'delete'> {
  /** All or nothing: undone when `work` rejects. */
  transaction<Result>(work: (tx: PluginDatabase) => Promise<Result>): Promise<Result>;
}

/** A step in the life of a plugin's tables. */
export interface PluginMigration {
  /** Its own among those of the plugin, and the same for ever. */
  readonly name: string;
  /** One statement each, the same for Postgres and PGlite. They use and change the plugin's own tables alone. */
  readonly sql: readonly string[];
}

/** Tables of one plugin's own. */
export interface PluginTables<Own> {
  /** All tables that its migrations create. Each begins with the plugin's name and `_`; `-` in the name becomes `_`. */
  readonly names: readonly string[];
  /**
   * Applied in this order, each once, before the oracle opens: after the oracle's own, in a transaction of the plugin. Those of a
   * plugin that is off wait until it is on. A transaction that uses or changes anything but the tables in `names` is undone.
   */
  readonly migrations: readonly PluginMigration[];
  /** What the plugin keeps in them: `boot.own`. */
  open(db: PluginDatabase): Own;
}

/**
 * Seals what a plugin keeps and nobody else may read. What it has sealed opens with the words it was sealed with only, and for
 * no other plugin and no other oracle.
 */
export interface Vault {
  /** One line of text. `whose` says what the secret belongs to, such as a user and the id of a row. */
  seal(secret: string, whose: string): string;
  /** Undefined for what this vault has not sealed for `whose`, or under a key that was taken out of `SEAL_KEYS`. */
  open(sealed: string, whose: string): string | undefined;
}

/** The vault of one plugin. */
export function vaultOf(keyring: Keyring, oracleDid: string, plugin: string): Vault {
  const contextOf = (whose: string) => ({ purpose: `plugin ${plugin}`, owner: whose, audience: oracleDid });
  return {
    seal: (secret, whose) => seal(secret, keyring, contextOf(whose)),
    open: (sealed, whose) => {
      const opened = open(sealed, keyring, contextOf(whose));
      return opened.ok ? opened.plaintext.toString('utf8') : undefined;
    },
  };
}
