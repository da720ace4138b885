import type { SqlDatabase } from '@mlango/service-kit/database';

export type PluginDatabase = SqlDatabase<Record<string, unknown>>;

/** A step in the life of a plugin's tables. */
export interface PluginMigration {
  /** Its own among those of the plugin, and the same for ever. */
  readonly name: string;
  /** One statement each, the same for Postgres and PGlite. */
  readonly sql: readonly string[];
}

/** Tables of one plugin's own. */
export interface PluginTables<Own> {
  /**
   * Applied in this order, each once, before the oracle opens: after the oracle's own, in the same transaction and under the same
   * lock. Those of a plugin that is off wait until it is on.
   */
  readonly migrations: readonly PluginMigration[];
  /** What the plugin keeps in them: `boot.own`. The database is given here and nowhere else. */
  open(db: PluginDatabase): Own;
  /** The same without a database, for tests. Where the database would ask, `hasSession` says whether a user has a session. */
  inMemory(hasSession: (ownerDid: string, sessionId: string) => Promise<boolean>): Own;
}
