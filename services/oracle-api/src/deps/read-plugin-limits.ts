import type { Config } from '../config.js';
import type { PluginLimits } from '../plugin-kit/plugin-limits.js';

/** What the tools of plugins may take of a turn, by the plugins' names, as the service is set. */
export function readPluginLimits({ PLUGIN_LIMITS }: Pick<Config, 'PLUGIN_LIMITS'>): ReadonlyMap<string, PluginLimits> {
  const limits = new Map<string, PluginLimits>();
  for (const item of PLUGIN_LIMITS) {
    const [plugin = '', limit = '', value] = item.split(/[:=]/);
    limits.set(plugin, { ...limits.get(plugin), [limit]: Number(value) });
  }
  return limits;
}
