import type { EnvSource } from '@mlango/service-kit/env';
import type { OraclePlugin } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import { atPluginStart } from './plugin-start.js';
import { returnedDetection } from './returned-values.js';

/** `auto`: on if the plugin detects its requirements. */
export type Feature = boolean | 'auto';

/** By plugin name. Default: `auto` if the plugin has `autoDetect`, else on. */
export type Features = Readonly<Record<string, Feature>>;

export interface ResolvedPlugin {
  readonly plugin: OraclePlugin;
  readonly feature: Feature;
  readonly isOn: boolean;
  /** Why it is off. */
  readonly reason?: string;
}

/**
 * Decides which plugins are on, each after its dependencies. A plugin is off if a dependency is off.
 * @throws PluginError for incompatible plugins, and for a feature without a plugin.
 */
export function resolveFeatures(
  plugins: readonly OraclePlugin[],
  features: Features,
  envOf: (plugin: OraclePlugin) => EnvSource,
): ResolvedPlugin[] {
  const ordered = startOrder(plugins);
  const unknown = Object.keys(features).find((name) => ordered.every((plugin) => plugin.name !== name));
  if (unknown !== undefined)
    throw new PluginError(
      `features.${unknown}: there is no plugin of that name (the variable FEATURES, or features in the code)`,
    );
  const off = new Set<string>();
  return ordered.map((plugin) => {
    const feature = features[plugin.name] ?? (plugin.autoDetect === undefined ? true : 'auto');
    const reason = reasonToBeOff(plugin, feature, off, envOf);
    if (reason === undefined) return { plugin, feature, isOn: true };
    off.add(plugin.name);
    return { plugin, feature, isOn: false, reason };
  });
}

function reasonToBeOff(
  plugin: OraclePlugin,
  feature: Feature,
  off: ReadonlySet<string>,
  envOf: (plugin: OraclePlugin) => EnvSource,
): string | undefined {
  if (feature === false) return 'switched off';
  const missing = plugin.dependsOn?.find((name) => off.has(name));
  if (missing !== undefined) return `needs ${missing}, which is off`;
  if (feature === true || plugin.autoDetect === undefined) return undefined;
  return atPluginStart(plugin.name, () => returnedDetection(plugin.autoDetect?.(envOf(plugin))))
    ? undefined
    : 'not set up';
}

/**
 * Sorts plugins so that each follows its dependencies, else in the order of the list.
 * @throws PluginError for a duplicate name, a missing dependency, and a cycle.
 */
function startOrder(plugins: readonly OraclePlugin[]): OraclePlugin[] {
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
