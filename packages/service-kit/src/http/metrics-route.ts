import { z } from 'zod';
import type { Metrics } from '../metrics.js';
import { type OperatorAccess, operatorOnly } from '../operator-access.js';
import type { HttpApp } from './http-app-type.js';

/** Seconds; fine where a USSD hop or a query lies, coarse where a chat turn does. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Times every request by route pattern, so that ids in paths make no new series, and serves them at `GET /metrics`. */
export function metricsRoute(app: HttpApp, metrics: Metrics, access: OperatorAccess): void {
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
  });
  // As many as there are routes, methods and statuses: looked up once each, not at every reply.
  const series = new Map<string, ReturnType<typeof durations.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'unmatched';
    const status = String(reply.statusCode);
    const name = `${method} ${status} ${route}`;
    let one = series.get(name);
    if (one === undefined) {
      one = durations.labels({ method, route, status });
      series.set(name, one);
    }
    one.observe(reply.elapsedTime / 1000);
    done();
  });
  app.get(
    '/metrics',
    {
      config: { probe: true },
      onRequest: operatorOnly(access),
      schema: { hide: true, response: { 200: z.string() } },
    },
    async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
