import { z } from 'zod';
import type { Readiness } from '../health.js';
import type { HttpApp } from './http-app-type.js';

const live = z.object({ status: z.literal('ok') }).describe('The process runs.');

const ready = z
  .object({
    status: z.enum(['ready', 'not ready']),
    draining: z.boolean().describe('A shutdown has begun; requests are still served.'),
    checks: z.record(z.string(), z.enum(['up', 'down'])).describe('Each back end this process needs.'),
    facts: z
      .record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))
      .optional()
      .describe('What the back ends that are up say about themselves.'),
  })
  .describe('Whether a load balancer should send traffic here.');

/** `GET /health/live` never touches a back end; `GET /health/ready` asks them all and turns 503 when draining. */
export function healthRoutes(app: HttpApp, readiness: Readiness): void {
  app.get(
    '/health/live',
    {
      config: { probe: true },
      schema: { tags: ['health'], operationId: 'getLiveness', summary: 'Liveness', response: { 200: live } },
    },
    () => ({ status: 'ok' as const }),
  );
  app.get(
    '/health/ready',
    {
      config: { probe: true },
      schema: {
        tags: ['health'],
        operationId: 'getReadiness',
        summary: 'Readiness',
        response: { 200: ready, 503: ready },
      },
    },
    async (_request, reply) => {
      const report = await readiness.check();
      return reply.code(report.ready ? 200 : 503).send({
        status: report.ready ? 'ready' : 'not ready',
        draining: report.draining,
        checks: { ...report.checks },
        ...(Object.keys(report.facts).length === 0 ? {} : { facts: structuredClone(report.facts) }),
      });
    },
  );
}
