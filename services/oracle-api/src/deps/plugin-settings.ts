import { databaseName, type EnvSource, list, readEnv } from '@mlango/service-kit/env';
import { z } from 'zod';
import type { PluginsConfig, StoresConfig } from '../config.js';
import type { PluginLimits } from '../plugins/api/plugin.js';
import type { PluginRoles } from '../plugins/host/plugin-tables.js';
import type { Feature, Features } from '../plugins/host/resolve-features.js';
import type { ApprovalPolicy } from '../plugins/host/tools/tool-approval.js';

/** Which tool calls need an approval. */
export function readApprovalPolicy({ TOOL_APPROVAL, NODE_ENV }: PluginsConfig): ApprovalPolicy {
  const tools = TOOL_APPROVAL.map((item) => {
    const [name = '', needs] = item.split('=');
    return { name, needs: needs === 'ask' ? ('ask' as const) : ('free' as const) };
  });
  return { tools, outsideNeedsApproval: NODE_ENV === 'production' };
}

/** Database logins of plugins, if enabled. */
export function readPluginRoles(plugins: PluginsConfig, stores: StoresConfig): PluginRoles | undefined {
  const { PLUGIN_ROLES, PLUGIN_ROLES_PASSWORD: password } = plugins;
  const database = databaseName(stores);
  return PLUGIN_ROLES && password !== undefined && database !== undefined ? { database, password } : undefined;
}

/** Limits of plugin tools in a turn, by plugin name. */
export function readPluginLimits({ PLUGIN_LIMITS }: PluginsConfig): ReadonlyMap<string, PluginLimits> {
  const limits = new Map<string, PluginLimits>();
  for (const item of PLUGIN_LIMITS) {
    const [plugin = '', limit = '', value] = item.split(/[:=]/);
    limits.set(plugin, { ...limits.get(plugin), [limit]: Number(value) });
  }
  return limits;
}

const switches: ReadonlyMap<string, Feature> = new Map<string, Feature>([
  ['on', true],
  ['off', false],
  ['auto', 'auto'],
]);

/** A comma-separated list of switches: `slack=off,credits=on,chain=auto`. None by default; the last of a name counts. */
const featureSwitches = () =>
  list().transform((items, context): Features => {
    const pairs = items.map((item) => item.split('=').map((part) => part.trim()));
    const found = pairs.flatMap(([name = '', word = '', ...rest]): [string, Feature][] => {
      const feature = switches.get(word);
      return name === '' || feature === undefined || rest.length > 0 ? [] : [[name, feature]];
    });
    if (found.length < pairs.length) {
      const message = 'must be a comma-separated list of plugins, each =on, =off or =auto, such as slack=off';
      context.issues.push({ code: 'custom', message, input: undefined });
    }
    return Object.fromEntries(found);
  });

/** Switches of plugins. */
export const featureSettings = z.object({
  FEATURES: featureSwitches().describe('Switches of plugins, such as `slack=off,credits=on,chain=auto`'),
});

/**
 * Enabled plugins: those set in code, overridden by `FEATURES`.
 * @throws {EnvError} for a malformed `FEATURES`.
 */
export function featuresOf(coded: Features | undefined, env: EnvSource): Features {
  return { ...coded, ...readEnv(featureSettings, env).FEATURES };
}
