import { z } from 'zod';
import type { Metrics } from '../metrics.js';
import { type OperatorAccess, operatorOnly } from '../operator-access.js';
import { limitMet } from './error-funnel.js';
import type { HttpApp } from './http-app-type.js';
import { RequestDurations } from './request-durations.js';

/**
 * Times every request by route pattern, so that ids in paths make no new series, counts those that were refused for their number, and serves
 * it all at `GET /metrics`.
 */
export function metricsRoute(app: HttpApp, metrics: Metrics, access: OperatorAccess): void {
  const durations = new RequestDurations(metrics.registry);
  const refused = metrics.counter({
    name: 'requests_refused_total',
    help: 'Requests that were told to come again later, by the limit they met: of their caller, of their address, their credits, or another; overload is none of theirs.',
    labelNames: ['limiter'],
  });
  // They begin at 0: of a series that begins with its first refusal, no rate tells that one.
  for (const limiter of ['caller', 'address', 'overload']) refused.inc({ limiter }, 0);
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched' } = request.routeOptions;
    durations.count(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    const limiter = limitMet(request);
    if (limiter !== undefined) refused.inc({ limiter });
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
