import type { OwnedTables } from '@mlango/service-kit/database';
import type { OraclePlugin } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import { bundledNames } from '../bundled.js';
import type { ResolvedPlugin } from './resolve-features.js';

/** Postgres truncates longer names. */
const longestName = 63;

/** Names and credentials of the plugins' database roles. */
export interface PluginRoles {
  /** Roles are global on a database server, so their names include the database. */
  readonly database: string;
  readonly password: string;
}

/** Owner name of a plugin's tables in the database. */
export const tablesOwner = (plugin: string): string => `plugin ${plugin}`;

/**
 * Checks the table names of all plugins, including plugins that are off, before anything is opened.
 * @param oracleTables names of the oracle's own tables
 * @throws PluginError for a table with two owners, and for a name without the plugin's prefix. Bundled plugins have older names.
 */
export function checkTableNames(plugins: readonly OraclePlugin[], oracleTables: readonly string[]): void {
  const owners = new Map<string, string>(oracleTables.map((table) => [table, 'the oracle']));
  for (const { name, tables } of plugins) {
    const prefix = `${underscored(name)}_`;
    if (tables === undefined) continue;
    if (!Array.isArray(tables.names)) throw new PluginError(`plugin "${name}": tables.names must list its tables`);
    for (const table of tables.names) {
      const owner = owners.get(table);
      if (owner !== undefined) throw new PluginError(`plugin "${name}": the table "${table}" belongs to ${owner}`);
      if (
        !bundledNames.includes(name) &&
        !(table.startsWith(prefix) && /^[a-z0-9_]+$/.test(table) && table.length <= longestName)
      ) {
        const form = `"${prefix}", then a-z, 0-9 and "_"; at most ${longestName} characters`;
        throw new PluginError(`plugin "${name}": the table "${table}" must be named ${form}`);
      }
      owners.set(table, `plugin "${name}"`);
    }
  }
}

/**
 * Returns the tables of the enabled plugins, in start order, each with a role if plugins have roles.
 * @throws PluginError if the name of a role would be too long.
 */
export function ownedTables(plugins: readonly ResolvedPlugin[], roles: PluginRoles | undefined): OwnedTables[] {
  return plugins.flatMap(({ isOn, plugin: { name, manifest, tables } }) => {
    if (!isOn || tables === undefined) return [];
    const { names, migrations } = tables;
    const refersTo = manifest.needs?.includes('sessions:read') === true ? ['sessions'] : [];
    const role = roles === undefined ? {} : { role: roleOf(name, roles) };
    return [{ owner: tablesOwner(name), names, refersTo, migrations, ...role }];
  });
}

function roleOf(plugin: string, { database, password }: PluginRoles) {
  const name = `${database}_plugin_${underscored(plugin)}`;
  if (Buffer.byteLength(name) > longestName) {
    throw new PluginError(`plugin "${plugin}": the name of its role, "${name}", is longer than ${longestName} bytes`);
  }
  return { name, password };
}

function underscored(name: string): string {
  return name.replaceAll('-', '_');
}
