import { ussdActiveSessions, ussdDebugRecord, ussdSessionNotFound } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import type { Deps } from '../deps.js';
import { analyticsRoute } from './analytics.js';
import { forOperators } from './for-operators.js';
import { pinCodeRoute } from './pin-code.js';

/** What operators see of sessions, and do for subscribers. Never what a user typed: nothing of it is kept. */
export function operatorRoutes(app: HttpApp, deps: Deps): void {
  const { sessions } = deps;
  const common = forOperators(deps.config);
  const { preHandler, described, failures } = common;
  pinCodeRoute(app, deps, common);

  app.get(
    '/api/ussd/debug/:sessionId',
    {
      preHandler,
      schema: {
        ...described,
        summary: 'State of one active session',
        params: z.object({ sessionId: z.string() }),
        response: { 200: ussdDebugRecord, 404: ussdSessionNotFound, ...failures },
      },
    },
    async (request, reply) => {
      const { sessionId } = request.params;
      const [session, activeSessions] = await Promise.all([sessions.findLive(sessionId), sessions.listLive()]);
      if (session === undefined) {
        const message = 'Session not found';
        return reply.code(404).send({ statusCode: 404, error: 'Not Found', message, sessionId, activeSessions });
      }
      const { phoneNumber, message, isAuthenticated } = session;
      const context = { sessionId, phoneNumber, message, isAuthenticated };
      const debugInfo = { state: session.position.state, context, status: 'active' as const };
      return reply.code(200).send({ sessionId, debugInfo, activeSessions });
    },
  );

  app.get(
    '/api/ussd/sessions',
    {
      preHandler,
      schema: {
        ...described,
        summary: 'Identifiers of all active sessions',
        response: { 200: ussdActiveSessions, ...failures },
      },
    },
    async () => {
      const activeSessions = await sessions.listLive();
      return { activeSessions, count: activeSessions.length };
    },
  );

  analyticsRoute(app, deps, common);
}
