import {
  databaseRule,
  type EnvProblem,
  type EnvSource,
  embeddedStoresRule,
  type GroupedConfig,
  groupConfig,
  readEnv,
  redisCaRule,
} from '@mlango/service-kit/env';
import { z } from 'zod';
import { settings } from './environment-variables.js';
import { identityRules } from './identity/identity-rules.js';
import { modelsRule } from './models/models-rule.js';

const { http, identity, models, runs, plugins, stores, telemetry } = settings;
const schema = z.object({ ...http, ...identity, ...models, ...runs, ...plugins, ...stores, ...telemetry });

type Variables = z.output<typeof schema>;

/** The configuration in groups, each with the names of its environment variables. Code takes the groups that it needs. */
export type Config = GroupedConfig<typeof settings>;
export type HttpConfig = Config['http'];
export type IdentityConfig = Config['identity'];
export type PluginsConfig = Config['plugins'];
export type StoresConfig = Config['stores'];

/** Plugin roles need a database server and a password. */
const pluginRolesRule = (config: Variables): EnvProblem[] =>
  (['DATABASE_URL', 'PLUGIN_ROLES_PASSWORD'] as const).flatMap((variable) =>
    config.PLUGIN_ROLES && config[variable] === undefined
      ? [{ variable, message: 'is required with PLUGIN_ROLES=on' }]
      : [],
  );

const rules = [embeddedStoresRule, databaseRule, redisCaRule, pluginRolesRule, ...identityRules, modelsRule];

export function processEnvironment(): EnvSource {
  return process.env;
}

/** @throws {EnvError} naming every variable that is missing, malformed or unsafe. */
export function readConfig(source: EnvSource): Config {
  return groupConfig(settings, readEnv(schema, source, rules));
}
