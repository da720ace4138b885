import { ownTables } from '../plugin-host/tables/own-tables.js';
import { queryRefusal } from '../plugin-host/tables/query-refusal.js';
import { boundedDatabase, type WholeDatabase } from '../plugin-host/tables/sql-bounded-database.js';
import type { OraclePlugin } from '../plugin-kit/plugin.js';

/** What a plugin keeps in its tables; undefined for one without any. */
export function openTables(plugin: Pick<OraclePlugin, 'tables'>, whole: WholeDatabase): unknown {
  const own = ownTables(plugin);
  return plugin.tables?.open(boundedDatabase(whole, (sql) => queryRefusal(sql, own)));
}
