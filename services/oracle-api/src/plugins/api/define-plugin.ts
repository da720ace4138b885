import { z } from 'zod';
import { type Grant, grantNames } from './grants.js';
import type { OraclePlugin } from './plugin.js';
import { PluginError, unknownMember } from './plugin-error.js';

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
  getResources: true,
  getRequestTools: true,
  getFiles: true,
  readFiles: true,
  getFileIntake: true,
  getMiddlewares: true,
  getPaymentGate: true,
  getUsageMeter: true,
  getFigures: true,
  getSharedState: true,
  getRoutes: true,
  exportUser: true,
  forgetUser: true,
  getAuthExcludedRoutes: true,
  close: true,
} satisfies Record<keyof OraclePlugin, true>);
/**
 * DID methods. A plugin can send messages for users of `did:<its name>:` (`converse`), so a plugin must not have the
 * name of an existing method.
 */
const methods = ['key', 'ixo', 'x', 'web', 'plc', 'pkh', 'ethr', 'mailto', 'dns'];
const visibilities = ['always', 'on-demand', 'silent'];

/** Members by kind: functions, lists and flags. */
const functionNames = members.filter((name) => /^(get|readFiles|autoDetect|exportUser|forgetUser|close)/.test(name));
const listNames = ['dependsOn', 'softDependsOn', 'receives'];

/** The members that are checked, independent of the plugin's settings, tables and grants. */
type Shape = Pick<
  OraclePlugin,
  'name' | 'version' | 'manifest' | 'dependsOn' | 'softDependsOn' | 'getTools' | 'getRequestTools'
>;

/**
 * Checks the shape of a plugin and returns the plugin, so that an error points to the place of its definition.
 * @throws PluginError
 */
export function definePlugin<Schema extends z.ZodObject, Own, const Needs extends Grant = never>(
  plugin: OraclePlugin<Schema, Own, Needs> & { readonly manifest: { readonly needs?: readonly Needs[] } },
): OraclePlugin<Schema, Own, Needs> {
  checkShape(plugin);
  return Object.freeze({ ...plugin });
}

/** @throws PluginError if the value is not a valid plugin. */
export function checkShape(plugin: Shape): void {
  const problem = problemOf(plugin);
  if (problem !== undefined) throw new PluginError(`plugin "${String(plugin?.name)}": ${problem}`);
}

function problemOf(plugin: Shape): string | undefined {
  if (typeof plugin !== 'object' || plugin === null || 'then' in plugin)
    return 'it is not a plugin: use definePlugin({ … })';
  const { name, version, manifest, dependsOn = [], softDependsOn = [] } = plugin;
  if (typeof name !== 'string' || !namePattern.test(name)) return 'a name is lower-case words joined by "-"';
  if (methods.includes(name)) return `"${name}" is a reserved name: DIDs of users begin with did:${name}:…`;
  if (!versionPattern.test(version)) return `"${version}" is not a version such as 1.0.0`;
  const problem = unknownMember(plugin, members);
  if (problem !== undefined) return problem;
  const misfit = misfitOf(plugin);
  if (misfit !== undefined) return misfit;
  if (typeof manifest !== 'object' || manifest === null)
    return 'it has no manifest: add manifest: { title, summary, whenToUse, visibility }';
  const texts = [manifest.title, manifest.summary, manifest.whenToUse];
  if (texts.some((text) => typeof text !== 'string' || text.trim() === ''))
    return 'title, summary and whenToUse must not be empty';
  if (!visibilities.includes(manifest.visibility)) return `visibility is one of ${visibilities.join(', ')}`;
  const unknown = (manifest.needs ?? []).find((need) => !grantNames.includes(need));
  if (unknown !== undefined) return `it needs "${unknown}", which is not one of ${grantNames.join(', ')}`;
  if ([...dependsOn, ...softDependsOn].includes(name)) return 'it depends on itself';
  const hasTools = plugin.getTools !== undefined || plugin.getRequestTools !== undefined;
  if (manifest.visibility === 'silent' && hasTools)
    return 'a silent plugin cannot have tools: the model cannot call them';
  return undefined;
}

/** Returns the error text for a member of the wrong type, with the correct form. */
function misfitOf(plugin: Readonly<Record<string, unknown>>): string | undefined {
  const { configSchema, failClosed = false } = plugin;
  const wrong = (names: readonly string[], fits: (value: unknown) => boolean) =>
    names.find((name) => plugin[name] !== undefined && !fits(plugin[name]));
  const noFunction = wrong(functionNames, (value) => typeof value === 'function');
  if (noFunction !== undefined) return `${noFunction} is not a function: write ${noFunction}: (…) => …`;
  const noList = wrong(listNames, (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'));
  if (noList !== undefined) return `${noList} is not an array of names: write ${noList}: ['…']`;
  if (typeof failClosed !== 'boolean') return 'failClosed is not a boolean: write failClosed: true';
  if (configSchema === undefined || configSchema instanceof z.ZodObject) return undefined;
  return 'configSchema is not a zod object: write configSchema: z.object({ … }), with zod 4, the version of the oracle';
}
