import { jsonError } from '@mlango/schemas/errors';
import { ussdActiveSessions, ussdDebugRecord, ussdSessionNotFound } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { operatorOnly } from '@mlango/service-kit/operator-access';
import { z } from 'zod';
import type { Deps } from '../deps.js';
import { pinCodeRoute } from './pin-code.js';

const failures = { 401: jsonError, 429: jsonError, 500: jsonError, 503: jsonError };

/** What operators see of sessions, and do for subscribers. Never what a user typed: nothing of it is kept. */
export function operatorRoutes(app: HttpApp, deps: Deps): void {
  const { config, sessions } = deps;
  // After the rate limit, so that guesses at the token are limited too.
  const preHandler = operatorOnly({ token: config.OPERATOR_TOKEN, open: config.NODE_ENV !== 'production' });
  pinCodeRoute(app, deps, preHandler);
  const common = { tags: ['operators'], security: [{ operator: [] }] };

  app.get(
    '/api/ussd/debug/:sessionId',
    {
      preHandler,
      schema: {
        ...common,
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
        ...common,
        summary: 'Identifiers of all active sessions',
        response: { 200: ussdActiveSessions, ...failures },
      },
    },
    async () => {
      const activeSessions = await sessions.listLive();
      return { activeSessions, count: activeSessions.length };
    },
  );
}
