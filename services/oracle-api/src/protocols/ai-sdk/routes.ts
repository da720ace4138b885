import { paymentRequired } from '@mlango/schemas/oracle-runs';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.js';
import { errorReplies } from '../../http/errors.js';
import { requireContent } from '../../http/hooks/api-key-auth.js';
import { acceptFileBodies, conversationBytes } from '../../http/hooks/bodies.js';
import { requireAuthScope } from '../../http/hooks/require-auth-scope.js';
import { followRun, streamEvents } from '../../http/runs.js';
import { startTurn } from '../../http/start-turn.js';
import { rightsOf } from '../../identity/route-rights.js';
import type { RunStart } from '../../runs/log/store.js';
import { isLive } from '../../runs/run.js';
import { requireSettling } from '../admission.js';
import { openNamedSession } from '../sessions.js';
import { hasResponses, settleResponses } from './approvals.js';
import { ChunksOfRun } from './events.js';
import { chatBody, type HeldAnswer, heldAnswer, newMessage, replacedMessage } from './request.js';

const tags = ['ai-sdk'];
const streamed = { description: 'A UI message stream', content: { 'text/event-stream': { schema: z.string() } } };

/** `/api/chat`: the endpoint of `useChat` of the AI SDK. */
export function routes(scope: HttpApp, deps: Deps): void {
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
        body: chatBody,
        response: { 200: streamed, 402: paymentRequired, ...errorReplies(400, 401, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const { id: name, messages, trigger } = request.body;
      const last = messages.at(-1);
      if (last !== undefined && hasResponses(last)) {
        requireSettling(request);
        requireContent(request, 'earlier');
        const run = await settleResponses(deps, did, (await deps.sessionNames.find(did, name)) ?? name, last);
        return streamChunks(deps, reply, run, heldAnswer(last));
      }
      const isAgain = trigger === 'regenerate-message';
      const { text: message, files: incoming } = newMessage(messages);
      const files = isAgain ? [] : deps.messageFiles.check(incoming, deps.models.default);
      const sessionId = await openNamedSession(deps, did, name, 'id');
      const of = await replacedMessage(deps, did, sessionId, request.body);
      const turn = await startTurn(deps, request, reply, {
        ...{ message, files, stream: true, returnAllMessages: false, ownerDid: did, sessionId },
        ...(of !== undefined && isAgain ? { message: of.content, attachments: of.attachments?.slice() } : {}),
        branchFrom: of && { of, isAgain },
      });
      return streamChunks(deps, reply, { ...turn, ownerDid: did, sessionId });
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
        params: z.object({ id: z.string() }),
        response: { 200: streamed, 204: z.undefined().describe('No answer is running'), ...errorReplies(400, 401) },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const sessionId = await deps.sessionNames.find(did, request.params.id);
      const run = sessionId === undefined ? undefined : await deps.register.findLive(did, sessionId);
      if (run === undefined || !isLive(run.status)) return reply.code(204).send();
      return streamChunks(deps, reply, run);
    },
  );
}

function streamChunks(deps: Deps, reply: FastifyReply, run: RunStart, held?: HeldAnswer): FastifyReply {
  const chunks = new ChunksOfRun(held);
  const follow = async function* (signal: AbortSignal) {
    for await (const frames of followRun(deps, run, 0, signal)) {
      const translated = frames.flatMap((frame) => chunks.of(frame));
      if (translated.length > 0) yield translated;
    }
    yield ['[DONE]'];
  };
  reply.headers({ 'x-run-id': run.runId, 'x-vercel-ai-ui-message-stream': 'v1' });
  return streamEvents(deps, reply, follow, (chunk) => `data: ${chunk}\n\n`);
}
