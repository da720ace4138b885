import { errorFunnel, type HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { errorReplies as jsonReplies } from '../../http/errors.js';
import { acceptFileBodies, conversationBytes } from '../../http/hooks/bodies.js';
import { requireAuthScope } from '../../http/hooks/require-auth-scope.js';
import { followRun, streamEvents } from '../../http/runs.js';
import { rightsOf } from '../../identity/route-rights.js';
import type { RunStart } from '../../runs/log/store.js';
import { isLive } from '../../runs/run.js';
import type { ProtocolDeps } from '../protocol-deps.js';
import { errorReplies, renderError } from './errors.js';
import { eventText, runEvents } from './events.js';
import { runRequest, startRun } from './request.js';

const tags = ['ai-sdk'];
const querystring = z.object({
  sdk: z
    .string()
    .optional()
    .describe('`5` for version 5 of the SDK, which gets a pending approval as a part `data-approval` only'),
});
const streamed = { description: 'A UI message stream', content: { 'text/event-stream': { schema: z.string() } } };

/** `/api/chat`: the endpoint of `useChat` of the AI SDK. */
export function routes(scope: HttpApp, deps: ProtocolDeps): void {
  scope.setErrorHandler(errorFunnel(renderError).send);
  requireAuthScope(scope, deps);
  const bodyLimit = acceptFileBodies(scope, deps, conversationBytes);

  scope.post(
    '/api/chat',
    {
      config: rightsOf('POST /api/chat'),
      bodyLimit,
      schema: {
        tags,
        operationId: 'sendChat',
        summary: 'Send the last message to a session',
        description:
          'Can also edit a message (`messageId`), regenerate its answer (`trigger`), or send decisions on pending tool calls.',
        querystring,
        body: runRequest,
        response: { 200: streamed, ...errorReplies() },
      },
    },
    async (request, reply) => {
      const { run, held } = await startRun(deps, request, reply, request.body);
      return streamRun(deps, reply, run, { held, isVersion5: request.query.sdk === '5' });
    },
  );

  scope.get(
    '/api/chat/:id/stream',
    {
      config: rightsOf('GET /api/chat/:id/stream'),
      schema: {
        tags,
        operationId: 'resumeChatStream',
        summary: 'Stream the running answer of a session from the start',
        querystring,
        params: z.object({ id: z.string() }),
        response: { 200: streamed, 204: z.undefined().describe('No answer is running'), ...jsonReplies(400, 401) },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const sessionId = await deps.sessionNames.find(did, request.params.id);
      const run = sessionId === undefined ? undefined : await deps.runRepository.findLive(did, sessionId);
      if (run === undefined || !isLive(run.status)) return reply.code(204).send();
      return streamRun(deps, reply, run, { isVersion5: request.query.sdk === '5' });
    },
  );
}

function streamRun(
  deps: ProtocolDeps,
  reply: FastifyReply,
  run: RunStart,
  reader: Parameters<typeof runEvents>[1],
): FastifyReply {
  reply.headers({ 'x-run-id': run.runId, 'x-vercel-ai-ui-message-stream': 'v1' });
  return streamEvents(deps, reply, (signal) => runEvents(followRun(deps, run, 0, signal), reader), eventText);
}
