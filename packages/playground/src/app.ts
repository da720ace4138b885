import type { Readiness } from '@mlango/service-kit/health';
import { createHttpApp, type HttpApp, type RateLimitOptions } from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { OperatorAccess } from '@mlango/service-kit/operator-access';
import type { FastifyBaseLogger, FastifyPluginCallback } from 'fastify';
import type { Connections } from './connections.js';
import { chainProxy } from './proxy/chain-proxy.js';
import { oracleProxy } from './proxy/oracle-proxy.js';
import { ussdProxy } from './proxy/ussd-proxy.js';
import { cutRoute } from './routes/cut.js';
import { pageRoutes } from './routes/page.js';
import { healthRoute, type Settings, serviceStatesRoute, settingsRoute } from './routes/state.js';

export interface AppDeps {
  readonly version: string;
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly metricsAccess: OperatorAccess;
  readonly securityContacts?: readonly string[];
  readonly readiness: Readiness;
  readonly trustProxy: string[] | false;
  readonly rateLimit: RateLimitOptions;
  readonly tracing?: FastifyPluginCallback | undefined;
  /** The folder of the built page. */
  readonly pageFolder: URL;
  readonly lines: Connections;
  readonly settings: Settings;
  /** Base URLs of the services, and their credentials. */
  readonly services: {
    readonly ussd: { readonly url: string; readonly secret?: string | undefined };
    readonly oracle: { readonly url: string };
    readonly chain: { readonly url: string; readonly apiKey?: string | undefined };
  };
}

/** The oracle's limit of one message. */
const BODY_LIMIT_BYTES = 256 * 1024;

/** The page and its proxies to each service, all on one origin: no service has to allow other origins. */
export async function buildApp(deps: AppDeps): Promise<HttpApp> {
  const app = await createHttpApp({ ...deps, bodyLimitBytes: BODY_LIMIT_BYTES });
  healthRoute(app);
  settingsRoute(app, deps.settings);
  serviceStatesRoute(app, {
    phone: deps.services.ussd.url,
    chat: deps.services.oracle.url,
    chain: deps.services.chain.url,
  });
  cutRoute(app, deps.lines);
  await ussdProxy(app, { ...deps.services.ussd, handset: deps.settings.handset });
  await oracleProxy(app, { ...deps.services.oracle, topUps: deps.settings.topUps }, deps.lines);
  await chainProxy(app, deps.services.chain, deps.lines);
  await pageRoutes(app, deps.pageFolder);
  // Endless responses and sockets would delay a shutdown.
  app.addHook('preClose', () => deps.lines.hangUpAll());
  return app;
}
