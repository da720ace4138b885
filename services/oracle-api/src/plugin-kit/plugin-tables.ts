import type { SqlDatabase } from '@mlango/service-kit/database';

/**
 * The plugin's own tables, and no others: drizzle's query builders. A query that names any other table, calls a function that
 * does more than compute, or is anything but a query or a change of rows rejects with a `PluginError`. Changes resolve to
 * rows with `.returning()` and to nothing without.
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
  /**
   * One statement each, the same for Postgres and PGlite: `create`, `alter` and `drop table`, `create index`, and changes of rows.
   * The tables that they make are the plugin's own; none may name another.
   */
  readonly sql: readonly string[];
}

/** Tables of one plugin's own. Their names begin with its name. */
export interface PluginTables<Own> {
  /**
   * Applied in this order, each once, before the oracle opens: after the oracle's own, in the same transaction and under the same
   * lock. Those of a plugin that is off wait until it is on.
   */
  readonly migrations: readonly PluginMigration[];
  /** What the plugin keeps in them: `boot.own`. */
  open(db: PluginDatabase): Own;
}
