import { ussdHealth, ussdHealthDown, ussdRoot } from '@mlango/schemas/ussd';
import { Readiness } from '@mlango/service-kit/health';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Deps } from '../deps.js';

const databaseLimitMs = 1000;

/** `GET /health` asks the database a question; `GET /` only says that the process runs. */
export function healthRoutes(app: HttpApp, deps: Deps): void {
  const database = new Readiness({ database: deps.pingDatabase }, { timeoutMs: databaseLimitMs });
  const stamp = () => ({ environment: deps.config.NODE_ENV, timestamp: new Date().toISOString() });

  app.get(
    '/health',
    {
      config: { probe: true },
      schema: {
        tags: ['health'],
        summary: 'Health, with a real query to the database',
        response: { 200: ussdHealth, 503: ussdHealthDown },
      },
    },
    async (_request, reply) => {
      const { checks } = await database.check();
      const uptime = process.uptime();
      if (checks['database'] === 'up') {
        return reply.code(200).send({ status: 'ok', ...stamp(), uptime, database: 'connected' });
      }
      return reply.code(503).send({ status: 'error', ...stamp(), uptime, database: 'disconnected' });
    },
  );

  app.get(
    '/',
    {
      config: { probe: true },
      schema: { tags: ['health'], summary: 'Whether the process runs', response: { 200: ussdRoot } },
    },
    async () => ({ status: 'ok' as const, message: `${deps.config.APP_NAME} USSD gateway is running`, ...stamp() }),
  );
}
