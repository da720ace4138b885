import { Readiness } from '@mlango/service-kit/health';
import { createHttpApp, type HttpApp, type RateLimitOptions } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';

/** What a service starts from, with no routes of its own, and no line for each request. */
export function emptyApp(more: { rateLimit?: RateLimitOptions } = {}): Promise<HttpApp> {
  return createHttpApp({
    version: '0',
    logger: createLogger({ service: 'bench', level: 'error' }),
    trustProxy: false,
    bodyLimitBytes: 4096,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'bench', version: '0' }),
    metricsAccess: { open: false },
    ...more,
  });
}
