import type { SqlDatabase } from '@mlango/service-kit/database';

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
