import type { Keyring } from '@mlango/crypto/keyring';
import { open, seal } from '@mlango/crypto/sealing';
import type { SqlDatabase } from '@mlango/service-kit/database';
import type { z } from 'zod';

/** Any JSON value. */
export type KvValue = z.core.util.JSONType;

export interface KvEntry {
  /** 1 to 200 of `A-Z a-z 0-9 _ . : / @ $ -`. */
  readonly key: string;
  readonly value: KvValue;
  /** Increases with every `put` and is never reused for a key. At least 1. */
  readonly version: number;
}

export interface KvPut {
  /**
   * Writes only if the stored version equals this one; 0: only if the key is absent. Without it, any stored value is
   * replaced.
   */
  readonly version?: number;
  /** The entry is treated as absent from then on. Without it, the entry does not expire. */
  readonly expiresAt?: Date;
}

/**
 * `changed`: another version is stored. `full`: 500 keys are stored. `too_large`: over 16,384 bytes as JSON in UTF-8.
 */
export type KvPutOutcome =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly code: 'changed' | 'full' | 'too_large' };

/**
 * Key-value state of one plugin, for one user or shared, without a separate table.
 *
 * Atomicity: of two puts with the same `version`, one returns `changed`.
 * Errors: rejects if the database is unreachable, and with a `PluginError` for an invalid key or a value that JSON cannot represent.
 */
export interface Kv {
  get(key: string): Promise<KvEntry | undefined>;
  put(key: string, value: KvValue, how?: KvPut): Promise<KvPutOutcome>;
  /** Returns false if the key is absent, or if `version` is not the stored version. */
  delete(key: string, how?: Pick<KvPut, 'version'>): Promise<boolean>;
  /**
   * Entries in the order of their keys, by code unit: keys that begin with `prefix` and follow `after`; 100 at most.
   */
  list(which?: { readonly prefix?: string; readonly after?: string; readonly limit?: number }): Promise<KvEntry[]>;
}

/**
 * Key-value state of one plugin. The state of a user is available only with that user: in a turn as `rtCtx.kv`, in a
 * route by its caller.
 */
export interface PluginKv {
  /** State that belongs to no user. */
  readonly shared: Kv;
  /** State of the authenticated caller of the request. @throws if the request is not authenticated. */
  ofCaller(request: object): Kv;
}

/**
 * The oracle's database, for the plugin's own tables: the drizzle query builders that behave the same on Postgres and
 * PGlite. Use `.returning()` to read the changed rows. With `PLUGIN_ROLES=on` Postgres refuses all other tables.
 */
export interface PluginDatabase
  extends Pick<SqlDatabase<Record<string, unknown>>, 'select' | 'insert' | 'update' | 'delete'> {
  /** Atomic: rolled back if `work` rejects. */
  transaction<Result>(work: (tx: PluginDatabase) => Promise<Result>): Promise<Result>;
}

/** A migration of a plugin's tables. */
export interface PluginMigration {
  /** Unique in the plugin, and never changed. */
  readonly name: string;
  /** One statement each, the same for Postgres and PGlite. They use and change only the plugin's own tables. */
  readonly sql: readonly string[];
}

/** Tables of one plugin. */
export interface PluginTables<Own> {
  /** All tables that its migrations create. Each name begins with the plugin's name and `_`; `-` in the name becomes `_`. */
  readonly names: readonly string[];
  /**
   * Applied in this order, each once, before the oracle opens: after the oracle's own migrations, in a transaction of the plugin. The
   * migrations of a plugin that is off run once it is on. A transaction that uses or changes anything but the tables in `names` is
   * rolled back.
   */
  readonly migrations: readonly PluginMigration[];
  /** Opens the plugin's store: `boot.own`. */
  open(db: PluginDatabase): Own;
}

/** Encrypts secrets that a plugin stores. A sealed secret opens only for the owner, plugin and oracle that it was sealed for. */
export interface Vault {
  /** Returns one line of text. The second argument names the owner of the secret, such as a user and the id of a row. */
  seal(secret: string, owner: string): string;
  /** Returns undefined for text that this vault has not sealed for the owner, or if its key was removed from `SEAL_KEYS`. */
  open(sealed: string, owner: string): string | undefined;
}

/** Opens the vault of one plugin. */
export function vaultOf(keyring: Keyring, oracleDid: string, plugin: string): Vault {
  const contextOf = (owner: string) => ({ purpose: `plugin ${plugin}`, owner, audience: oracleDid });
  return {
    seal: (secret, owner) => seal(secret, keyring, contextOf(owner)),
    open: (sealed, owner) => {
      const opened = open(sealed, keyring, contextOf(owner));
      return opened.ok ? opened.plaintext.toString('utf8') : undefined;
    },
  };
}
