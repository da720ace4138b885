import { ServiceError } from '@mlango/service-kit/errors';
import { errorFunnel, type HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireMethodRight } from '../../http/hooks/api-key-auth.js';
import { requireAuthScope } from '../../http/hooks/require-auth-scope.js';
import { followRun, streamEvents } from '../../http/runs.js';
import { rightsOf } from '../../identity/route-rights.js';
import { bearerIsInvocation } from '../admission.js';
import { paramsAs, rpcMessage, rpcReply, thrownOf } from '../json-rpc.js';
import type { ProtocolDeps } from '../protocol-deps.js';
import { TemporarySessions } from '../sessions.js';
import { explainAccess, refuseForeignPages } from './access.js';
import { errorReplies, noOwnStream, renderError } from './errors.js';
import { answerResult, eventText, type PlaceInCall, placeIn, runEvents } from './events.js';
import { answerWithoutRun } from './methods-without-run.js';
import { requestIdOf, runRequest, type StartedCall, startRun } from './request.js';

const tags = ['mcp'];

const mcpHeaders = z.object({
  'mcp-session-id': z.string().max(200).optional().describe('session id from the response to `initialize`'),
  'mcp-protocol-version': z.string().max(20).optional(),
});

const streamed = { 'text/event-stream': { schema: z.string() } };

/** `/mcp`: the Model Context Protocol, for the oracle and the tools of its plugins. */
export function routes(app: HttpApp, deps: ProtocolDeps): void {
  explainAccess(app, deps.oracle);
  void app.register(async (scope: HttpApp) => {
    scope.setErrorHandler(errorFunnel(renderError).send);
    scope.addHook('onRequest', refuseForeignPages(deps));
    bearerIsInvocation(scope);
    requireAuthScope(scope, deps);
    const passing = new TemporarySessions(deps);
    scope.addHook('onClose', () => passing.drained());
    mcpRoutes(scope, { ...deps, passing });
  });
}

function mcpRoutes(scope: HttpApp, deps: ProtocolDeps & { readonly passing: TemporarySessions }): void {
  const { offers } = deps.plugins;
  const offered = {
    tools: offers.flatMap(({ tools }) => tools),
    resources: offers.flatMap(({ resources }) => resources),
  };

  scope.post(
    '/mcp',
    {
      config: rightsOf('POST /mcp'),
      schema: {
        tags,
        operationId: 'sendMcpMessage',
        summary: 'Send a message of the Model Context Protocol (Streamable HTTP)',
        headers: mcpHeaders,
        body: withExample(rpcMessage, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        response: {
          200: {
            description: 'The response, or a stream of messages',
            content: { 'application/json': { schema: rpcReply }, ...streamed },
          },
          202: z.undefined().describe('The notification was accepted'),
          ...errorReplies(413, 415),
        },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const { 'mcp-session-id': mcpSession, 'mcp-protocol-version': version } = request.headers;
      const { id, method, params } = request.body;
      if (id === undefined || method === undefined) {
        if (method === 'notifications/cancelled') await cancel(did, mcpSession, params['requestId']);
        return reply.code(202).send();
      }
      try {
        if (method === 'tools/call') {
          const toolCall = paramsAs(runRequest, params);
          const requestId = requestIdOf(mcpSession, id) ?? deps.newId();
          const call = await startRun(deps, offered.tools, request, reply, toolCall, requestId);
          const place = {
            runId: call.runId,
            rpcId: id,
            progressToken: toolCall._meta?.progressToken ?? undefined,
            after: 0,
          };
          return follow(reply, call, place, acceptsBareEvents(version));
        }
        requireMethodRight(request, method);
        if (method.startsWith('resources/')) requireNoActor(request);
        if (method === 'initialize') reply.header('mcp-session-id', deps.newId());
        return await answerWithoutRun({ ...deps, offered }, did, { id, method, params });
      } catch (thrown) {
        return thrownOf(id, thrown, request);
      }
    },
  );

  scope.get(
    '/mcp',
    {
      config: rightsOf('GET /mcp'),
      schema: {
        tags,
        operationId: 'resumeMcpStream',
        summary: 'Resume a stream',
        description:
          'Resumes the stream of an `ask` call after `Last-Event-ID`. Without the header: 405, the server initiates no messages.',
        headers: mcpHeaders.extend({ 'last-event-id': z.string().max(2_000).optional() }),
        response: {
          200: { description: 'A stream of messages', content: streamed },
          ...errorReplies(404, 405),
        },
      },
    },
    async (request, reply) => {
      const lastId = request.headers['last-event-id'];
      if (lastId === undefined) {
        return reply.code(405).header('allow', 'POST').send(noOwnStream());
      }
      const place = placeIn(lastId);
      const { did } = callerOf(request);
      const run = place && (await deps.runRepository.find(did, place.runId));
      if (place === undefined || run === undefined) throw new ServiceError('not_found', 'Stream not found');
      const result = async () => {
        const { requestId, sessionId } = run;
        const answer = await deps.conversations.findMessage(did, sessionId, requestId);
        return answerResult(run, { ...answer, content: answer?.content ?? '' });
      };
      return follow(reply, { ...run, isResumable: true, result }, place, false);
    },
  );

  scope.delete(
    '/mcp',
    {
      config: rightsOf('DELETE /mcp'),
      schema: {
        tags,
        operationId: 'deleteMcpSession',
        summary: 'End a session; the server is stateless and stores none',
        headers: mcpHeaders,
        response: { 204: z.undefined(), ...errorReplies(413, 415) },
      },
    },
    async (_request, reply) => reply.code(204).send(),
  );

  function follow(reply: FastifyReply, call: StartedCall, place: PlaceInCall, isPrimed: boolean): FastifyReply {
    const messages = (signal: AbortSignal) =>
      runEvents(followRun(deps, call, place.after, signal), place, { ...call, isPrimed });
    return streamEvents(deps, reply, messages, eventText);
  }

  /** Stops the turn of a cancelled request. */
  async function cancel(did: string, mcpSession: string | undefined, id: unknown): Promise<void> {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const requestId = requestIdOf(mcpSession, id);
    const run = requestId && (await deps.runRepository.findByRequest(did, requestId));
    if (run) await deps.turns.stop(did, run.sessionId, 'aborted');
  }
}

/** Older clients mistake an event without data for a message. */
function acceptsBareEvents(version = ''): boolean {
  return version >= '2025-11-25';
}

/** A delegate may converse, but not read the user's plugin data. @throws ServiceError */
function requireNoActor(request: FastifyRequest): void {
  if (callerOf(request).actor !== undefined) {
    throw new ServiceError('permission_denied', 'Only the user can read these');
  }
}
