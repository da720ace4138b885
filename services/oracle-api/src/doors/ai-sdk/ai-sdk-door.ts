import { paymentRequired, sendLimits, sessionIdPattern } from '@mlango/schemas/oracle';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.js';
import { isLive } from '../../runs/run-register.js';
import type { RunStart } from '../../runs/run-store.js';
import { errorReplies } from '../http/error-replies.js';
import { keepProtected } from '../http/keep-protected.js';
import { refusedField } from '../http/refused-field.js';
import { requireCaller } from '../http/require-caller.js';
import { startTurn } from '../http/start-turn.js';
import { followRun, streamEvents } from '../http/stream-run.js';
import { openNamedSession } from '../open-session.js';
import { ChunksOfRun } from './ui-chunks.js';

const tags = ['ai-sdk'];
const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const message = z.looseObject({ role: z.string(), parts: z.array(part).max(1_000) });

const chatBody = z
  .looseObject({
    id: z.string().regex(sessionIdPattern).describe('of the session, which is created where there is none'),
    messages: z.array(message).min(1).max(1_000),
    trigger: z
      .literal('submit-message', 'an answer is not written again: the oracle keeps one history')
      .default('submit-message'),
  })
  .describe('What `DefaultChatTransport` sends');

const streamed = { description: 'A UI message stream', content: { 'text/event-stream': { schema: z.string() } } };

/** `/api/chat`: the oracle as `useChat` of the AI SDK speaks to it. */
export function aiSdkDoor(scope: HttpApp, deps: Deps): void {
  requireCaller(scope, deps.addresses.requests);
  keepProtected(scope, deps.plugins.authExcludedRoutes);

  scope.post(
    '/api/chat',
    {
      bodyLimit: bodyBytes,
      schema: {
        tags,
        summary: 'Say what is last of the messages in a session',
        body: chatBody,
        response: { 200: streamed, 402: paymentRequired, ...errorReplies(400, 401, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const { id: sessionId, messages } = request.body;
      const said = wordsOf(messages.at(-1));
      await openNamedSession(deps, did, sessionId);
      const body = { message: said, stream: true, returnAllMessages: false, ownerDid: did, sessionId };
      const turn = await startTurn(deps, request, reply, body);
      return streamChunks(deps, reply, { ...turn, ownerDid: did, sessionId });
    },
  );

  scope.get(
    '/api/chat/:id/stream',
    {
      schema: {
        tags,
        summary: 'The answer under way in a session, from its beginning',
        params: z.object({ id: z.string() }),
        response: { 200: streamed, 204: z.undefined().describe('Nothing is under way'), ...errorReplies(401) },
      },
    },
    async (request, reply) => {
      const run = await deps.register.findLive(callerOf(request).did, request.params.id);
      if (run === undefined || !isLive(run.status)) return reply.code(204).send();
      return streamChunks(deps, reply, run);
    },
  );
}

/** Bytes of a request, which brings all messages, of which the last one counts. */
const bodyBytes = 1_048_576;

function wordsOf(last: z.output<typeof message> | undefined): string {
  const texts = (last?.parts ?? []).flatMap(({ type, text }) => (type === 'text' && text ? [text] : []));
  const said = texts.join('\n').replaceAll('\u0000', '');
  if (last?.role === 'user' && said !== '' && said.length <= sendLimits.messageChars) return said;
  const rule = `the last one must be the user's, with 1 to ${sendLimits.messageChars} characters of text`;
  throw refusedField('body', 'messages', rule);
}

function streamChunks(deps: Deps, reply: FastifyReply, run: RunStart): FastifyReply {
  const chunks = new ChunksOfRun();
  const follow = async function* (signal: AbortSignal) {
    for await (const frames of followRun(deps, run, 0, signal)) {
      const told = frames.flatMap((frame) => chunks.of(frame));
      if (told.length > 0) yield told;
    }
    yield ['[DONE]'];
  };
  reply.headers({ 'x-run-id': run.runId, 'x-vercel-ai-ui-message-stream': 'v1' });
  return streamEvents(deps, reply, follow, (chunk) => `data: ${chunk}\n\n`);
}
