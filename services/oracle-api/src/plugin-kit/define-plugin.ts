import type { z } from 'zod';
import { grantNames } from './grants.js';
import type { OraclePlugin } from './plugin.js';
import { PluginError } from './plugin-error.js';
import { unknownMember } from './unknown-member.js';

const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const versionPattern = /^\d+\.\d+\.\d+([-+].+)?$/;
const members = Object.keys({
  name: true,
  version: true,
  manifest: true,
  dependsOn: true,
  softDependsOn: true,
  receives: true,
  failClosed: true,
  configSchema: true,
  tables: true,
  autoDetect: true,
  getTools: true,
  getRequestTools: true,
  getFiles: true,
  getMiddlewares: true,
  getPaymentGate: true,
  getUsageMeter: true,
  getSharedState: true,
  getRoutes: true,
  getAuthExcludedRoutes: true,
  close: true,
} satisfies Record<keyof OraclePlugin, true>);
const visibilities = ['always', 'on-demand', 'silent'];

/**
 * Checks a plugin's shape and gives it back, so that a mistake shows where the plugin is written.
 * @throws PluginError
 */
export function definePlugin<Schema extends z.ZodObject, Own>(
  plugin: OraclePlugin<Schema, Own>,
): OraclePlugin<Schema, Own> {
  checkShape(plugin);
  return Object.freeze({ ...plugin });
}

/** @throws PluginError for a plugin that is none. */
export function checkShape<Schema extends z.ZodObject, Own>(plugin: OraclePlugin<Schema, Own>): void {
  const problem = problemOf(plugin);
  if (problem !== undefined) throw new PluginError(`plugin "${plugin.name}": ${problem}`);
}

function problemOf<Schema extends z.ZodObject, Own>(plugin: OraclePlugin<Schema, Own>): string | undefined {
  const { name, version, manifest, dependsOn = [], softDependsOn = [] } = plugin;
  if (!namePattern.test(name)) return 'a name is lower-case words joined by "-"';
  if (!versionPattern.test(version)) return `"${version}" is no version such as 1.0.0`;
  const stranger = unknownMember(plugin, members);
  if (stranger !== undefined) return stranger;
  const texts = [manifest.title, manifest.summary, manifest.whenToUse];
  if (texts.some((text) => text.trim() === '')) return 'title, summary and whenToUse must say something';
  if (!visibilities.includes(manifest.visibility)) return `visibility is one of ${visibilities.join(', ')}`;
  const unknown = (manifest.needs ?? []).find((need) => !grantNames.includes(need));
  if (unknown !== undefined) return `it needs "${unknown}", which is none of ${grantNames.join(', ')}`;
  if ([...dependsOn, ...softDependsOn].includes(name)) return 'it depends on itself';
  const hasTools = plugin.getTools !== undefined || plugin.getRequestTools !== undefined;
  if (manifest.visibility === 'silent' && hasTools) return 'a silent plugin has no tools: nobody would call them';
  return undefined;
}
