import { errorFunnel, type HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import { acceptFileBodies, conversationBytes } from '../../http/hooks/bodies.js';
import { requireAuthScope } from '../../http/hooks/require-auth-scope.js';
import { followRun, streamEvents } from '../../http/runs.js';
import { rightsOf } from '../../identity/route-rights.js';
import { bearerIsInvocation } from '../admission.js';
import type { ProtocolDeps } from '../protocol-deps.js';
import { errorReplies, renderError } from './errors.js';
import { eventText, runEvents } from './events.js';
import { runRequest, startRun } from './request.js';

/** `/ag-ui`: the endpoint of AG-UI's `HttpAgent`. */
export function routes(scope: HttpApp, deps: ProtocolDeps): void {
  scope.setErrorHandler(errorFunnel(renderError).send);
  bearerIsInvocation(scope);
  requireAuthScope(scope, deps);
  const bodyLimit = acceptFileBodies(scope, deps, conversationBytes);

  scope.post(
    '/ag-ui',
    {
      config: rightsOf('POST /ag-ui'),
      bodyLimit,
      schema: {
        tags: ['ag-ui'],
        operationId: 'runAgUiAgent',
        summary: 'Run the oracle in a thread',
        body: runRequest,
        response: {
          200: { description: 'Events of AG-UI', content: { 'text/event-stream': { schema: z.string() } } },
          ...errorReplies(),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { run, after } = await startRun(deps, request, reply, body);
      const streamed = {
        threadId: body.threadId,
        sessionId: run.sessionId,
        clientRunId: body.runId,
        runId: run.runId,
        state: body.state,
        acceptsCancelled: typeof body.protocolVersion === 'string',
        pageTools: body.tools.map(({ name }) => name),
      };
      const callsOf = async () =>
        (await deps.conversations.findMessage(run.ownerDid, run.sessionId, run.requestId))?.toolCalls ?? [];
      const follow = (signal: AbortSignal) => runEvents(streamed, followRun(deps, run, after, signal), callsOf);
      reply.header('x-run-id', run.runId);
      return streamEvents(deps, reply, follow, eventText);
    },
  );
}
