import { ussdHealth, ussdHealthDown, ussdRoot } from '@mlango/schemas/ussd';
import { Readiness } from '@mlango/service-kit/health';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { RecentHops } from '../analytics/recent-hops.js';
import type { Deps } from '../deps.js';

const limitMs = 1000;

/**
 * `GET /health` queries the database and Redis and reports recent hops; its status is that of the database. `GET /` reports that the
 * process runs. Neither is the readiness check: that is `hopReadiness`.
 */
export function healthRoutes(app: HttpApp, deps: Deps): void {
  const { pingDatabase, redis } = deps;
  const backEnds = new Readiness(
    { database: pingDatabase, ...(redis === undefined ? {} : { redis: redis.answers, sessions: redis.takesWrites }) },
    { timeoutMs: limitMs },
  );
  const stamp = () => ({ environment: deps.config.http.NODE_ENV, timestamp: new Date().toISOString() });

  app.get(
    '/health',
    {
      config: { probe: true },
      schema: {
        tags: ['health'],
        operationId: 'getHealth',
        summary: 'Health, with a query to the database and a write to Redis',
        response: { 200: ussdHealth, 503: ussdHealthDown },
      },
    },
    async (_request, reply) => {
      const { checks } = await backEnds.check();
      const uptime = process.uptime();
      const hops = latestHops(deps.recentHops);
      const facts = { ...stamp(), uptime, ...(redis === undefined ? {} : { redis: redisState(checks) }), hops };
      if (checks['database'] === 'up') return reply.code(200).send({ status: 'ok', ...facts, database: 'connected' });
      return reply.code(503).send({ status: 'error', ...facts, database: 'disconnected' });
    },
  );

  app.get(
    '/',
    {
      config: { probe: true },
      schema: {
        tags: ['health'],
        operationId: 'getServiceInfo',
        summary: 'Name of the service',
        response: { 200: ussdRoot },
      },
    },
    async () => ({
      status: 'ok' as const,
      message: `${deps.config.flows.APP_NAME} USSD gateway is running`,
      ...stamp(),
    }),
  );
}

function redisState({ redis, sessions }: Readonly<Record<string, string>>) {
  if (redis !== 'up') return 'disconnected' as const;
  return sessions === 'up' ? ('connected' as const) : ('not writable' as const);
}

function latestHops({ unanswered, windowSeconds }: RecentHops) {
  if (unanswered === undefined) return { state: 'quiet' as const, windowSeconds, unanswered: null };
  const state = unanswered === 1 ? ('failing' as const) : ('served' as const);
  return { state, windowSeconds, unanswered: Math.floor(unanswered * 1000) / 1000 };
}
