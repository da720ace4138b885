import type { OraclePlugin } from '../../plugin-kit/plugin.js';
import { PluginError } from '../../plugin-kit/plugin-error.js';
import { bundledNames } from '../../plugins/bundled.js';
import { migrationRefusal, tableMadeBy } from './migration-refusal.js';

/**
 * The names of the tables that a plugin's migrations make: they are its own. Those of a plugin that does not come with the
 * oracle begin with its name, so that none is another's, whatever else has tables in the same database.
 */
export function ownTables({ tables }: Pick<OraclePlugin, 'tables'>): ReadonlySet<string> {
  const statements = tables?.migrations.flatMap(({ sql }) => sql) ?? [];
  return new Set(statements.flatMap((statement) => tableMadeBy(statement) ?? []));
}

/**
 * Judges the tables of all plugins, those that are off included, before anything is opened.
 * @param ofTheOracle names of tables that the oracle has itself
 * @throws PluginError for a table that is not the plugin's to have, and a migration that touches what is not its own.
 */
export function checkTables(plugins: readonly OraclePlugin[], ofTheOracle: readonly string[]): void {
  const owners = new Map<string, string>(ofTheOracle.map((table) => [table, 'the oracle itself']));
  for (const plugin of plugins) {
    const own = ownTables(plugin);
    const refuse = (problem: string): never => {
      throw new PluginError(`plugin "${plugin.name}": ${problem}`);
    };
    const prefix = `${plugin.name.replaceAll('-', '_')}_`;
    for (const table of own) {
      const owner = owners.get(table);
      if (owner !== undefined) refuse(`the table "${table}" is there already, of ${owner}`);
      if (!bundledNames.includes(plugin.name) && !table.startsWith(prefix)) {
        refuse(`the name of its table "${table}" does not begin with "${prefix}"`);
      }
      owners.set(table, `plugin "${plugin.name}"`);
    }
    const rights = { own, ofSessions: plugin.manifest.needs?.includes('sessions:read') === true };
    for (const { name, sql } of plugin.tables?.migrations ?? []) {
      for (const statement of sql) {
        const problem = migrationRefusal(statement, rights);
        if (problem !== undefined) refuse(`its migration ${name} is refused: ${problem}`);
      }
    }
  }
}
