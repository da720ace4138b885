import { randomBytes } from 'node:crypto';
import { ussdLimits } from '@mlango/schemas/ussd';
import { createHttpApp, type HttpApp } from '@mlango/service-kit/http-app';
import { addressRanges, trustedProxies } from '@mlango/service-kit/proxies';
import type { Deps } from './deps.js';
import { aggregatorRoutes } from './http/aggregators.js';
import { analyticsMetrics } from './http/analytics-metrics.js';
import { apiDescription } from './http/api-description.js';
import { healthRoutes } from './http/health.js';
import { hopsInQueries } from './http/hops-in-queries.js';
import { messageReportRoutes } from './http/message-reports.js';
import { operatorRoutes } from './http/operator.js';
import { phoneLinkRoutes } from './http/phone-links.js';
import { pushRoute } from './http/push.js';
import { Refusals } from './http/refusals.js';
import { renderError } from './http/render-error.js';
import { serviceMetrics } from './http/service-metrics.js';
import { simulatorRoutes } from './http/simulator.js';
import { tryAsNewUser } from './http/try-as-new-user.js';
import { webhookCallbackRoutes } from './http/webhook-callbacks.js';

const minuteMs = 60_000;

/** The app on given dependencies. Does no I/O, so that tests can inject requests. */
export async function buildApp(deps: Deps): Promise<HttpApp> {
  const { config } = deps;
  const isTrusted = addressRanges(config.RATE_LIMIT_TRUSTED_CIDRS);
  const refusals = new Refusals(deps.logger);
  const packed = hopsInQueries();
  const isTried = config.NODE_ENV !== 'production';
  const access = {
    token: config.OPERATOR_TOKEN,
    triedToken: isTried ? randomBytes(24).toString('base64url') : undefined,
    open: isTried,
  };
  const app = await createHttpApp({
    version: deps.version,
    logger: deps.logger,
    trustProxy: trustedProxies(config),
    publicUrl: config.PUBLIC_URL,
    rewriteUrl: packed.rewriteUrl,
    // People write endpoints into the forms of aggregators and providers by hand.
    ignoreTrailingSlash: true,
    bodyLimitBytes: ussdLimits.bodyBytes,
    readiness: deps.readiness,
    metrics: deps.metrics,
    metricsAccess: { token: config.METRICS_TOKEN, open: config.NODE_ENV !== 'production' },
    renderError,
    rateLimit: {
      max: config.RATE_LIMIT_MAX,
      windowMs: minuteMs,
      store: deps.rateLimits,
      // Where an aggregator is asked, its caller is known already; a limit by phone holds there instead.
      maxOf: ({ aggregatorCaller: caller, ip }) => {
        const isLimited = caller === null ? !isTrusted(ip) : caller !== 'gateway';
        return isLimited ? config.RATE_LIMIT_MAX : undefined;
      },
      onRefused: (request) => refusals.saw(request, 'address'),
    },
    openapi: config.DOCS ? { ...apiDescription, tryAs: isTried ? tryAsNewUser(access) : undefined } : undefined,
    securityContacts: config.SECURITY_CONTACT,
    tracing: deps.tracing.plugin,
  });
  packed.addTo(app);
  await aggregatorRoutes(app, deps, isTrusted, refusals);
  app.addHook('onClose', async () => refusals.close());
  if (deps.callbacks.webhooks.names.length > 0) await webhookCallbackRoutes(app, deps.callbacks);
  if (deps.linking !== undefined) phoneLinkRoutes(app, deps.linking);
  if (deps.reports !== undefined) await messageReportRoutes(app, deps.reports);
  if (config.OPERATOR_ROUTES) {
    operatorRoutes(app, deps, access);
    pushRoute(app, deps, access);
  }
  serviceMetrics(deps.metrics, deps.services, deps.sessions, deps.logger);
  analyticsMetrics(deps.metrics, deps.services, deps.logger);
  healthRoutes(app, deps);
  if (config.SIMULATOR ?? config.NODE_ENV === 'development') simulatorRoutes(app, deps);
  return app;
}
