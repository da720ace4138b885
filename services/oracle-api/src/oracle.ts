import { EnvError, type EnvProblem, type EnvSource, optionalText, readEnv } from '@mlango/service-kit/env';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger, type Logger } from '@mlango/service-kit/logging';
import {
  migrateAndEnd,
  moveAndEnd,
  readConfigOrExit,
  serve,
  startOrExit,
  usingDataDir,
} from '@mlango/service-kit/process';
import { z } from 'zod';
import type { Persona } from './agent/prompt/instructions.js';
import { buildApp } from './app.js';
import { type Config, processEnvironment, readConfig, type StoresConfig } from './config.js';
import { featuresOf } from './deps/plugin-settings.js';
import { openOracleDatabase, oracleTables } from './deps/stores.js';
import { openDeps } from './deps.js';
import type { OracleIdentity } from './identity/oracle-identity.js';
import type { LanguageModel } from './models/language-model.js';
import { checkShape } from './plugins/api/define-plugin.js';
import type { OraclePlugin, PublicRoute } from './plugins/api/plugin.js';
import { bundledPlugins } from './plugins/host/bundled-plugins.js';
import type { PluginStatus } from './plugins/host/plugin-host.js';
import { failureFields } from './plugins/host/plugin-isolation.js';
import { checkTableNames } from './plugins/host/plugin-tables.js';
import { type Features, type ResolvedPlugin, resolveFeatures } from './plugins/host/resolve-features.js';

/**
 * Creates an oracle: its sessions, model and plugins behind one HTTP app, which does not listen yet.
 *
 * @throws EnvError listing every variable that is missing, malformed or unsafe
 * @throws PluginError for plugins that cannot be started
 * @throws Error for a store that cannot be opened; everything opened before is closed
 */
export async function createOracleApp(options: OracleAppOptions): Promise<OracleApp> {
  const { oracle } = await assembleOracle(options);
  return oracle;
}

/**
 * Runs an oracle as a process that listens until a signal ends it. With the argument `migrate` the process updates the tables of the
 * oracle and of its plugins, with `move` it copies all rows of the embedded database to `DATABASE_URL`; both then exit.
 * A start failure is logged and exits with code 78 for the environment, else with 1.
 */
export async function runOracleApp(options: OracleAppOptions): Promise<void> {
  const command = process.argv[2];
  if (command === 'migrate' || command === 'move') {
    const { plan, logger } = await orExit(loadPlan(options));
    const use = { applicationName: 'oracle-api-migrate', maxConnections: 1 };
    const { stores, plugins } = plan.config;
    const open = (config: StoresConfig) =>
      usingDataDir(config.DATA_DIR, openOracleDatabase({ stores: config, plugins }, logger, use, plan.plugins));
    if (command === 'migrate') await migrateAndEnd(await orExit(open(stores)), logger);
    else await moveAndEnd(stores, open, logger);
  } else {
    const app = await orExit(createOracleApp(options));
    await app.serve();
  }
}

function orExit<Opened>(opening: Promise<Opened>): Promise<Opened> {
  const explained = opening.catch((error: unknown) =>
    readConfigOrExit(() => {
      throw error;
    }),
  );
  return startOrExit(createLogger({ service: 'oracle-api', level: 'fatal' }), explained);
}

export interface OracleAppOptions {
  /** Name and instructions of the oracle. `ORACLE_NAME` overrides the name. */
  readonly config: Persona;
  /** Which plugins are enabled. `FEATURES` in the environment overrides it. */
  readonly features?: Features;
  /** Plugins in addition to the bundled ones. */
  readonly plugins?: readonly OraclePlugin[];
  /** Plugin routes without authentication, in addition to those that the plugins declare. */
  readonly authExcludedRoutes?: readonly PublicRoute[];
  /** Environment variables. Default: those of the process. */
  readonly env?: EnvSource;
  /** Replaces the models that the environment names. */
  readonly model?: LanguageModel;
}

export interface OracleApp {
  readonly oracle: OracleIdentity;
  readonly plugins: { status(): PluginStatus[] };
  /** Listens on `HOST` and `PORT`, or on `where`. Resolves with the address. */
  listen(where?: { readonly host?: string; readonly port?: number }): Promise<string>;
  /** Listens as the whole of a process: signals shut it down in order. */
  serve(): Promise<void>;
  /** Handles a request without a network. */
  readonly inject: HttpApp['inject'];
  /** Waits for running answers within the shutdown times, then closes everything. Idempotent. */
  close(): Promise<void>;
}

/** Creates the oracle and its HTTP app. @throws as `createOracleApp` */
export async function assembleOracle(options: OracleAppOptions): Promise<{ oracle: OracleApp; app: HttpApp }> {
  const { plan, logger } = await loadPlan(options);
  const { config } = plan;
  const opening = openDeps(config, logger, {
    ...plan,
    persona: { ...options.config, name: config.identity.ORACLE_NAME },
    authExcludedRoutes: options.authExcludedRoutes ?? [],
    ...(options.model === undefined ? {} : { model: options.model }),
  });
  const deps = await usingDataDir(config.stores.DATA_DIR, opening);
  const app = await buildApp(deps).catch(async (error: unknown) => {
    await deps.close();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const oracle: OracleApp = {
    oracle: deps.oracle,
    plugins: { status: () => deps.plugins.status() },
    listen: ({ host = config.http.HOST, port = config.http.PORT } = {}) => app.listen({ host, port }),
    serve: async () => {
      logger.info({ oracleDid: deps.oracle.did, plugins: namesOf(deps.plugins.status()) }, 'oracle identity');
      await serve({
        app,
        config: config.http,
        readiness: deps.readiness,
        logger,
        onClose: () => deps.close(),
        failureFields,
      });
    },
    inject: app.inject.bind(app),
    close: () => {
      closing ??= closeAll(app, deps);
      return closing;
    },
  };
  return { oracle, app };
}

async function closeAll(app: HttpApp, deps: { close(): Promise<void> }): Promise<void> {
  try {
    await app.close();
  } finally {
    await deps.close();
  }
}

function namesOf(plugins: readonly PluginStatus[]): string[] {
  return plugins.filter(({ status }) => status === 'on').map(({ name }) => name);
}

/** Plan and logger of an oracle. Opens nothing. @throws EnvError, PluginError */
export async function loadPlan(options: OracleAppOptions): Promise<{ plan: OraclePlan; logger: Logger }> {
  const env = withName(options.config.name, options.env ?? processEnvironment());
  const features = featuresOf(options.features, env);
  const bundled = await bundledPlugins(features);
  const plan = planOracle({ features, plugins: [...bundled, ...(options.plugins ?? [])], env });
  const { LOG_LEVEL: level, NODE_ENV } = plan.config.telemetry;
  const logger = createLogger({
    service: 'oracle-api',
    level,
    pretty: NODE_ENV === 'development' && process.stdout.isTTY,
  });
  return { plan, logger };
}

function withName(name: string, env: EnvSource): EnvSource {
  const isNamed = [env['ORACLE_NAME'], env['ORACLE_NAME_FILE']].some((value) => value !== undefined && value !== '');
  return isNamed ? env : { ...env, ORACLE_NAME: name };
}

/** Configuration and plugins of an oracle before anything is opened. */
export interface OraclePlan {
  readonly config: Config;
  /** All plugins in start order. */
  readonly plugins: readonly ResolvedPlugin[];
  /** Settings of the enabled plugins by plugin name. */
  readonly settings: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface PlanOptions {
  readonly features?: Features;
  readonly plugins?: readonly OraclePlugin[];
  readonly env: EnvSource;
}

/**
 * Resolves which plugins are enabled and reads the configuration of the oracle and of the plugins.
 * @throws {PluginError} for plugins that contradict each other
 * @throws {EnvError} naming every variable that is missing, malformed or unsafe, including those of plugins
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

/** The environment with the variables of the plugin, read from `X_FILE` too. */
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
