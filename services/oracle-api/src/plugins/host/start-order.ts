import type { OraclePlugin } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';

/**
 * The plugins so that each comes after those it depends on, and else in the order given.
 * @throws PluginError for a name that is taken twice, a dependency that does not exist, and a cycle.
 */
export function startOrder(plugins: readonly OraclePlugin[]): OraclePlugin[] {
  const byName = new Map<string, OraclePlugin>();
  for (const plugin of plugins) {
    if (byName.has(plugin.name)) throw new PluginError(`there are two plugins called "${plugin.name}"`);
    byName.set(plugin.name, plugin);
  }
  const ordered = new Set<OraclePlugin>();
  const visit = (plugin: OraclePlugin, path: readonly string[]): void => {
    if (ordered.has(plugin)) return;
    const here = [...path, plugin.name];
    if (path.includes(plugin.name)) {
      const cycle = here.slice(path.indexOf(plugin.name)).join(' → ');
      throw new PluginError(`plugins depend on each other in a circle: ${cycle}`);
    }
    for (const name of plugin.dependsOn ?? []) {
      if (!byName.has(name))
        throw new PluginError(`plugin "${plugin.name}" depends on "${name}", which does not exist`);
    }
    for (const name of [...(plugin.dependsOn ?? []), ...(plugin.softDependsOn ?? [])]) {
      const before = byName.get(name);
      if (before !== undefined) visit(before, here);
    }
    ordered.add(plugin);
  };
  for (const plugin of plugins) visit(plugin, []);
  return [...ordered];
}
