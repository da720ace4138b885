import {
  databaseRule,
  type EnvProblem,
  type EnvSource,
  embeddedStoresRule,
  readEnv,
  redisCaRule,
} from '@mlango/service-kit/env';
import { z } from 'zod';
import { identityRules } from './identity/identity-rules.js';
import { modelsRule } from './models/models-rule.js';
import { settings } from './settings.js';

const { http, identity, models, runs, plugins, stores, telemetry } = settings;
const schema = z.object({ ...http, ...identity, ...models, ...runs, ...plugins, ...stores, ...telemetry });

type Variables = z.output<typeof schema>;
type Group<Shape> = Readonly<Pick<Variables, keyof Shape & keyof Variables>>;

/** The configuration in groups, each with the names of its environment variables. Code takes the groups that it needs. */
export interface Config {
  readonly http: HttpConfig;
  readonly identity: IdentityConfig;
  readonly models: ModelsConfig;
  readonly runs: RunsConfig;
  readonly plugins: PluginsConfig;
  readonly stores: StoresConfig;
  readonly telemetry: TelemetryConfig;
}

export type HttpConfig = Group<typeof http>;
export type IdentityConfig = Group<typeof identity>;
export type ModelsConfig = Group<typeof models>;
export type RunsConfig = Group<typeof runs>;
export type PluginsConfig = Group<typeof plugins>;
export type StoresConfig = Group<typeof stores>;
export type TelemetryConfig = Group<typeof telemetry>;

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
  const variables = readEnv(schema, source, rules);
  return {
    http: pick(variables, http),
    identity: pick(variables, identity),
    models: pick(variables, models),
    runs: pick(variables, runs),
    plugins: pick(variables, plugins),
    stores: pick(variables, stores),
    telemetry: pick(variables, telemetry),
  };
}

function pick<Shape extends object>(variables: Variables, shape: Shape): Group<Shape> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name in shape)) as Group<Shape>;
}
