import { databaseName } from '@mlango/service-kit/env';
import type { Config } from '../config.js';
import type { PluginLimits } from '../plugins/api/plugin-limits.js';
import type { ApprovalPolicy } from '../plugins/host/approval-policy.js';
import type { PluginRoles } from '../plugins/host/own-tables.js';

/** Which calls of tools their users are asked before, as the service is set. */
export function readApprovalPolicy({ TOOL_APPROVAL, NODE_ENV }: Config): ApprovalPolicy {
  const tools = TOOL_APPROVAL.map((item) => {
    const [name = '', needs] = item.split('=');
    return { name, needs: needs === 'ask' ? ('ask' as const) : ('free' as const) };
  });
  return { tools, asksOutside: NODE_ENV === 'production' };
}

/** The logins of plugins at the database, if they have any. */
export function readPluginRoles(config: Config): PluginRoles | undefined {
  const { PLUGIN_ROLES, PLUGIN_ROLES_PASSWORD: password } = config;
  const database = databaseName(config);
  return PLUGIN_ROLES && password !== undefined && database !== undefined ? { database, password } : undefined;
}

/** What the tools of plugins may take of a turn, by the plugins' names, as the service is set. */
export function readPluginLimits({ PLUGIN_LIMITS }: Pick<Config, 'PLUGIN_LIMITS'>): ReadonlyMap<string, PluginLimits> {
  const limits = new Map<string, PluginLimits>();
  for (const item of PLUGIN_LIMITS) {
    const [plugin = '', limit = '', value] = item.split(/[:=]/);
    limits.set(plugin, { ...limits.get(plugin), [limit]: Number(value) });
  }
  return limits;
}
