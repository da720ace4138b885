import { z } from 'zod';
import type { Metrics } from '../metrics.js';
import { type OperatorAccess, operatorOnly } from '../operator-access.js';
import type { HttpApp } from './http-app-type.js';
import { RequestDurations } from './request-durations.js';

/** Times every request by route pattern, so that ids in paths make no new series, and serves them at `GET /metrics`. */
export function metricsRoute(app: HttpApp, metrics: Metrics, access: OperatorAccess): void {
  const durations = new RequestDurations(metrics.registry);
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched' } = request.routeOptions;
    durations.count(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
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
