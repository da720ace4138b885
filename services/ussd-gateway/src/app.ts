import { randomBytes } from 'node:crypto';
import { ussdLimits } from '@mlango/schemas/ussd';
import { createHttpApp, type HttpApp } from '@mlango/service-kit/http-app';
import type { OperatorAccess } from '@mlango/service-kit/operator-access';
import { addressRanges, trustedProxies } from '@mlango/service-kit/proxies';
import type { Deps } from './deps.js';
import { aggregatorRoutes } from './http/aggregator-routes.js';
import { apiDescription, tryAsNewUser } from './http/api-description.js';
import { messageReportRoutes, webhookCallbackRoutes } from './http/callback-routes.js';
import { healthRoutes } from './http/health-routes.js';
import { operatorRoutes } from './http/operator-routes.js';
import { packedHops } from './http/packed-hops.js';
import { phoneLinkRoutes } from './http/phone-link-routes.js';
import { pushRoute } from './http/push-route.js';
import { RefusalLog } from './http/refusal-log.js';
import { renderError } from './http/serve-endpoint.js';
import { simulatorRoutes } from './http/simulator-routes.js';
import { analyticsMetrics, tenantMetrics } from './tenants/tenant-metrics.js';

const minuteMs = 60_000;

/** Builds the app. Does no I/O, so that tests can inject requests. */
export async function buildApp(deps: Deps): Promise<HttpApp> {
  const { config } = deps;
  const isTrusted = addressRanges(config.aggregators.RATE_LIMIT_TRUSTED_CIDRS);
  const refusals = new RefusalLog(deps.logger);
  const packed = packedHops();
  const allowsTrying = config.http.NODE_ENV !== 'production';
  const access: OperatorAccess = {
    token: config.http.OPERATOR_TOKEN,
    docsTrialToken: allowsTrying ? randomBytes(24).toString('base64url') : undefined,
    open: allowsTrying,
  };
  const app = await createHttpApp({
    version: deps.version,
    logger: deps.logger,
    trustProxy: trustedProxies(config.http),
    publicUrl: config.http.PUBLIC_URL,
    rewriteUrl: packed.rewriteUrl,
    // Endpoints are typed by hand into the forms of aggregators.
    ignoreTrailingSlash: true,
    // Endpoints of aggregators with accumulated text have a larger limit of their own: `http/serve-endpoint.ts`.
    bodyLimitBytes: ussdLimits.bodyBytes,
    readiness: deps.readiness,
    metrics: deps.metrics,
    metricsAccess: { token: config.telemetry.METRICS_TOKEN, open: config.http.NODE_ENV !== 'production' },
    renderError,
    rateLimit: {
      max: config.http.RATE_LIMIT_MAX,
      windowMs: minuteMs,
      store: deps.rateLimits,
      // Aggregator routes have identified the aggregator already; from a listed address its requests are limited by phone.
      maxOf: ({ aggregatorOrigin: origin, ip }) => {
        const isLimited = origin === null ? !isTrusted(ip) : origin !== 'limitedByPhone';
        return isLimited ? config.http.RATE_LIMIT_MAX : undefined;
      },
      onRefused: (request) => refusals.record(request, 'address'),
    },
    openapi: config.http.DOCS
      ? { ...apiDescription, tryAs: allowsTrying ? tryAsNewUser(access) : undefined }
      : undefined,
    securityContacts: config.http.SECURITY_CONTACT,
    tracing: deps.tracing.plugin,
  });
  packed.addTo(app);
  await aggregatorRoutes(app, deps, isTrusted, refusals);
  app.addHook('onClose', async () => refusals.close());
  if (deps.callbacks.webhooks.names.length > 0) await webhookCallbackRoutes(app, deps.callbacks);
  if (deps.linking !== undefined) phoneLinkRoutes(app, deps.linking);
  if (deps.reports !== undefined) await messageReportRoutes(app, deps.reports);
  if (config.http.OPERATOR_ROUTES) {
    operatorRoutes(app, deps, access);
    pushRoute(app, deps, access);
  }
  tenantMetrics(deps.metrics, deps.tenants, deps.sessions, deps.logger);
  analyticsMetrics(deps.metrics, deps.tenants, deps.logger);
  healthRoutes(app, deps);
  if (config.http.SIMULATOR ?? config.http.NODE_ENV === 'development') simulatorRoutes(app, deps);
  return app;
}
