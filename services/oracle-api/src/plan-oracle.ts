import { EnvError, type EnvProblem, type EnvSource, optionalText, readEnv } from '@mlango/service-kit/env';
import { z } from 'zod';
import { type Config, readConfig } from './config.js';
import { oracleTables } from './deps/oracle-tables.js';
import { checkShape } from './plugins/api/define-plugin.js';
import type { OraclePlugin } from './plugins/api/plugin.js';
import { checkTableNames } from './plugins/host/own-tables.js';
import { type Features, type ResolvedPlugin, resolveFeatures } from './plugins/host/resolve-features.js';

/** What an oracle will be made of, before anything of it is opened. */
export interface OraclePlan {
  readonly config: Config;
  /** All that there are, in start order. */
  readonly plugins: readonly ResolvedPlugin[];
  /** What the schemas of those that are on have read, by the plugins' names. */
  readonly settings: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface PlanOptions {
  readonly features?: Features;
  /** All that there are. */
  readonly plugins?: readonly OraclePlugin[];
  readonly env: EnvSource;
}

/**
 * Settles which plugins are on, and reads the configuration: the oracle's own and theirs.
 * @throws {PluginError} for plugins that do not go together.
 * @throws {EnvError} naming every variable that is missing, malformed or unsafe, whoever reads it.
 */
export function planOracle({ features = {}, plugins = [], env }: PlanOptions): OraclePlan {
  for (const plugin of plugins) checkShape(plugin);
  checkTableNames(plugins, oracleTables);
  const resolved = resolveFeatures(plugins, features, (plugin) => envOf(plugin, env));
  const problems: EnvProblem[] = [];
  const config = collecting(problems, () => readConfig(env));
  const settings = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { plugin, isOn } of resolved) {
    const { name, configSchema } = plugin;
    if (!isOn || configSchema === undefined) continue;
    const found: EnvProblem[] = [];
    const read = collecting(found, () => readEnv(configSchema, env));
    if (read !== undefined) settings.set(name, read);
    problems.push(...found.map(({ variable, message }) => ({ variable, message: `${message} (plugin ${name})` })));
  }
  if (config === undefined || problems.length > 0) throw new EnvError(problems);
  return { config, plugins: resolved, settings };
}

/** The environment with the plugin's own variables as they would be read: also from the files that `X_FILE` names. */
function envOf({ configSchema }: OraclePlugin, env: EnvSource): EnvSource {
  const variables = Object.keys(configSchema?.shape ?? {});
  const texts = z.object(Object.fromEntries(variables.map((variable) => [variable, optionalText()])));
  const read = collecting([], () => readEnv(texts, env));
  return { ...env, ...read };
}

function collecting<T>(problems: EnvProblem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
