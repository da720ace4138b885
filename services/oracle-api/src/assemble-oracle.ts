import type { EnvSource } from '@mlango/service-kit/env';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger, type Logger } from '@mlango/service-kit/logging';
import { serve, usingDataDir } from '@mlango/service-kit/process';
import type { Persona } from './agent/prompt/instructions.js';
import { buildApp } from './app.js';
import { processEnvironment } from './config.js';
import { openDeps } from './deps.js';
import { featuresOf } from './features-setting.js';
import type { OracleIdentity } from './identity/oracle-identity.js';
import type { LanguageModel } from './models/language-model.js';
import { type OraclePlan, planOracle } from './plan-oracle.js';
import type { OraclePlugin, PublicRoute } from './plugins/api/plugin.js';
import { bundledPlugins } from './plugins/host/bundled-plugins.js';
import { failureFields } from './plugins/host/plugin-scope.js';
import type { PluginStatus } from './plugins/host/plugin-status.js';
import type { Features } from './plugins/host/resolve-features.js';

export interface OracleAppOptions {
  /** Who the oracle is. `ORACLE_NAME` stands before the name. */
  readonly config: Persona;
  /** Which plugins are on. What `FEATURES` names in the environment goes before it. */
  readonly features?: Features;
  /** Plugins beside the bundled ones. */
  readonly plugins?: readonly OraclePlugin[];
  /** Routes of plugins that need no authentication, beside those that the plugins name. */
  readonly authExcludedRoutes?: readonly PublicRoute[];
  /** Variables by name. Default: those of the process. */
  readonly env?: EnvSource;
  /** What answers, in the place of the models that the environment names. */
  readonly model?: LanguageModel;
}

export interface OracleApp {
  readonly oracle: OracleIdentity;
  readonly plugins: { status(): PluginStatus[] };
  /** Listens on `HOST` and `PORT`, or as told. Gives the address. */
  listen(where?: { readonly host?: string; readonly port?: number }): Promise<string>;
  /** Listens as a process of its own does: signals end it in order, and the process with it. */
  serve(): Promise<void>;
  /** A request without a network. */
  readonly inject: HttpApp['inject'];
  /** Lets answers under way end, as the shutdown times say, and closes all that was opened. Safe to call twice. */
  close(): Promise<void>;
}

/** What an oracle will be made of, and where it logs. Rejects with an `EnvError` or a `PluginError`; opens nothing. */
export async function plannedOracle(options: OracleAppOptions): Promise<{ plan: OraclePlan; logger: Logger }> {
  const env = named(options.config.name, options.env ?? processEnvironment());
  const features = featuresOf(options.features, env);
  const bundled = await bundledPlugins(features);
  const plan = planOracle({ features, plugins: [...bundled, ...(options.plugins ?? [])], env });
  const logger = createLogger({
    service: 'oracle-api',
    level: plan.config.LOG_LEVEL,
    pretty: plan.config.NODE_ENV === 'development' && process.stdout.isTTY,
  });
  return { plan, logger };
}

/** An oracle, and the HTTP app that it is made of. Rejects as `createOracleApp` does. */
export async function assembleOracle(options: OracleAppOptions): Promise<{ oracle: OracleApp; app: HttpApp }> {
  const { plan, logger } = await plannedOracle(options);
  const { config } = plan;
  const opening = openDeps(config, logger, {
    ...plan,
    persona: { ...options.config, name: config.ORACLE_NAME },
    authExcludedRoutes: options.authExcludedRoutes ?? [],
    ...(options.model === undefined ? {} : { model: options.model }),
  });
  const deps = await usingDataDir(config.DATA_DIR, opening);
  const app = await buildApp(deps).catch(async (error: unknown) => {
    await deps.close();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const oracle: OracleApp = {
    oracle: deps.oracle,
    plugins: { status: () => deps.plugins.status() },
    listen: ({ host = config.HOST, port = config.PORT } = {}) => app.listen({ host, port }),
    serve: async () => {
      logger.info({ oracleDid: deps.oracle.did, plugins: namesOf(deps.plugins.status()) }, 'oracle identity');
      await serve({ app, config, readiness: deps.readiness, logger, onClose: () => deps.close(), failureFields });
    },
    inject: app.inject.bind(app),
    close: () => {
      closing ??= closeAll(app, deps);
      return closing;
    },
  };
  return { oracle, app };
}

/** Closes the app, and what it stands on in any case. */
async function closeAll(app: HttpApp, deps: { close(): Promise<void> }): Promise<void> {
  try {
    await app.close();
  } finally {
    await deps.close();
  }
}

/** The name given in code holds unless the environment has one. */
function named(name: string, env: EnvSource): EnvSource {
  const isNamed = [env['ORACLE_NAME'], env['ORACLE_NAME_FILE']].some((value) => value !== undefined && value !== '');
  return isNamed ? env : { ...env, ORACLE_NAME: name };
}

function namesOf(plugins: readonly PluginStatus[]): string[] {
  return plugins.filter(({ status }) => status === 'on').map(({ name }) => name);
}
