import { jsonError } from '@mlango/schemas/errors';
import {
  ussdActiveSessions,
  ussdCustomerId,
  ussdDebugRecord,
  ussdPinCode,
  ussdServiceQuery,
  ussdSessionNotFound,
} from '@mlango/schemas/ussd';
import { ussdAnalytics, ussdAnalyticsQuery, ussdOutcomesToReview } from '@mlango/schemas/ussd-analytics';
import { ussdFlowMap } from '@mlango/schemas/ussd-flow-map';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { type OperatorAccess, operatorOnly } from '@mlango/service-kit/operator-access';
import { z } from 'zod';
import type { Deps } from '../deps.js';
import { scoped } from '../session-scope.js';
import { operatedTenant, tenantOperator } from './tenant-operator.js';

/** Routes for operators: sessions, analytics, flow maps and PIN codes. User input is never shown, since it is not stored. */
export function operatorRoutes(app: HttpApp, deps: Deps, access: OperatorAccess): void {
  const { config, sessions, tenants, oneTimeCodes, effectStore } = deps;
  // After the rate limit, so that guessing the token is limited, and before the request is parsed.
  const operatorGuard = operatorOnly(access);
  const preParsing = tenantOperator(tenants, access);
  app.decorateRequest('operatedTenant', null);
  const described = { tags: ['operators'], security: [{ operator: [] }] };
  const failures = { 401: jsonError, 429: jsonError, 500: jsonError, 503: jsonError };
  const ofServices = { 400: jsonError, 403: jsonError, ...failures };

  app.post(
    '/api/ussd/customers/:customerId/pin-code',
    {
      preParsing: operatorGuard,
      schema: {
        ...described,
        operationId: 'createPinCode',
        summary: 'Replace a forgotten PIN by a one-time code',
        params: z.object({ customerId: ussdCustomerId }),
        response: { 200: ussdPinCode, 400: jsonError, 404: jsonError, 413: jsonError, 415: jsonError, ...failures },
      },
    },
    async (request, reply) => {
      const { customerId } = request.params;
      const issued = await oneTimeCodes.issue(customerId, 'operator route');
      if (issued === undefined) throw new ServiceError('not_found', 'There is no such customer');
      return reply
        .header('cache-control', 'no-store')
        .code(200)
        .send({ customerId, ...issued });
    },
  );

  app.get(
    '/api/ussd/debug/:sessionId',
    {
      preParsing,
      schema: {
        ...described,
        operationId: 'getSessionState',
        summary: 'State of one active session',
        params: z.object({ sessionId: z.string() }),
        querystring: ussdServiceQuery,
        response: { 200: ussdDebugRecord, 404: ussdSessionNotFound, ...ofServices },
      },
    },
    async (request, reply) => {
      const { sessionId } = request.params;
      const { id } = operatedTenant(request);
      const scopes = config.aggregators.aggregators.map((aggregator) => scoped(aggregator.id, id));
      const [session, activeSessions] = await Promise.all([
        sessions.findLive(sessionId, scopes),
        sessions.listLive(id),
      ]);
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
      preParsing,
      schema: {
        ...described,
        operationId: 'listActiveSessions',
        summary: 'List the ids of all active sessions',
        querystring: ussdServiceQuery,
        response: { 200: ussdActiveSessions, ...ofServices },
      },
    },
    async (request) => {
      const activeSessions = await sessions.listLive(operatedTenant(request).id);
      return { activeSessions, count: activeSessions.length };
    },
  );

  app.get(
    '/api/ussd/analytics',
    {
      preParsing,
      schema: {
        ...described,
        operationId: 'getScreenStatistics',
        summary: 'Visits, drop-off and median times of each screen',
        querystring: ussdAnalyticsQuery,
        response: { 200: ussdAnalytics, ...ofServices },
      },
    },
    (request) => operatedTenant(request).analytics.report(request.query.hours),
  );

  app.get(
    '/api/ussd/analytics/outcomes',
    {
      preParsing,
      schema: {
        ...described,
        operationId: 'listOutcomesToReview',
        summary: 'List contradicted outcomes and undelivered messages',
        querystring: ussdAnalyticsQuery,
        response: { 200: ussdOutcomesToReview, ...ofServices },
      },
    },
    async (request) => {
      const found = await effectStore.toReview(operatedTenant(request).id, request.query.hours * hourMs, mostOutcomes);
      return {
        outcomes: found.map(({ key, webhook, endedAt, outcome, contradictions }) => ({
          intent: key,
          webhook,
          endedAt: endedAt.toISOString(),
          result: outcome.result,
          // The facts of an act may be personal data of its subscriber.
          reason: webhook === undefined ? outcome.facts?.['reason'] : undefined,
          contradictions: contradictions.map(({ result }) => result),
        })),
      };
    },
  );

  app.get(
    '/api/ussd/analytics/map',
    {
      preParsing,
      schema: {
        ...described,
        operationId: 'getFlowMaps',
        summary: 'Graphs of the flows with the visits of each path',
        querystring: ussdAnalyticsQuery,
        response: { 200: ussdFlowMap, ...ofServices },
      },
    },
    (request) => {
      const { analytics, hops } = operatedTenant(request);
      return analytics.map(request.query.hours, hops.rules);
    },
  );
}

const hourMs = 3_600_000;
const mostOutcomes = 100;
