import { ussdLimits } from '@mlango/schemas/ussd';
import { createHttpApp, type HttpApp } from '@mlango/service-kit/http-app';
import { trustedProxies } from '@mlango/service-kit/proxies';
import type { Deps } from './deps.js';
import { aggregatorRoutes } from './routes/aggregators.js';
import { analyticsRoute } from './routes/analytics.js';
import { analyticsMetrics } from './routes/analytics-metrics.js';
import { healthRoutes } from './routes/health.js';
import { operatorRoutes } from './routes/operator.js';
import { renderError } from './routes/render-error.js';
import { simulatorRoutes } from './routes/simulator.js';
import { trustedCallers } from './routes/trusted-callers.js';

const minuteMs = 60_000;

/** The app on given dependencies. Does no I/O, so that tests can inject requests. */
export async function buildApp(deps: Deps): Promise<HttpApp> {
  const { config } = deps;
  const isTrusted = trustedCallers(config.RATE_LIMIT_TRUSTED_CIDRS);
  const app = await createHttpApp({
    version: deps.version,
    logger: deps.logger,
    trustProxy: trustedProxies(config),
    bodyLimitBytes: ussdLimits.bodyBytes,
    readiness: deps.readiness,
    metrics: deps.metrics,
    metricsAccess: { token: config.METRICS_TOKEN, open: config.NODE_ENV !== 'production' },
    renderError,
    rateLimit: {
      max: config.RATE_LIMIT_MAX,
      windowMs: minuteMs,
      store: deps.rateLimits,
      maxOf: (request) => (isTrusted(request.ip) ? undefined : config.RATE_LIMIT_MAX),
    },
    openapi: {
      title: 'Mlango USSD gateway',
      description: 'One call per key press of a USSD session, answered with CON or END.',
      tags: [
        { name: 'ussd', description: 'Called by telecom gateways' },
        { name: 'operators', description: 'For operators only' },
        { name: 'health', description: 'For probes' },
      ],
      securitySchemes: { operator: { type: 'http', scheme: 'bearer', description: 'The operator token' } },
    },
    tracing: deps.tracing.plugin,
  });
  await aggregatorRoutes(app, deps, isTrusted);
  if (config.OPERATOR_ROUTES) {
    operatorRoutes(app, deps);
    analyticsRoute(app, deps);
  }
  analyticsMetrics(deps.metrics, deps.analytics, deps.logger);
  healthRoutes(app, deps);
  if (config.SIMULATOR ?? config.NODE_ENV === 'development') simulatorRoutes(app, deps);
  return app;
}
