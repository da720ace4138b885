import { failedTurn } from '@mlango/schemas/errors';
import {
  abortBody,
  abortReply,
  messageList,
  paymentRequired,
  sendLimits,
  sendMessageBody,
  sendMessageReply,
  sessionPath,
} from '@mlango/schemas/oracle';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { z } from 'zod';
import { errorReplies } from './error-replies.js';
import { matrixHeaders } from './matrix-session.js';
import { listedMessages, messageReply } from './message-reply.js';
import { type SendDeps, startTurn } from './start-turn.js';
import { type StreamDeps, streamRun } from './stream-run.js';
import { turnError } from './turn-error.js';

const tags = ['messages'];

const sendHeaders = matrixHeaders.extend({
  'x-timezone': z
    .string()
    .optional()
    .describe("IANA name of the user's time zone; the body's `timezone` stands before it"),
});

/** `/messages`: send one, list them, abort what answers. */
export function messageRoutes(app: HttpApp, deps: SendDeps & StreamDeps): void {
  app.post(
    '/messages/abort',
    {
      config: { keyScopes: ['send'], isConversing: true },
      schema: {
        tags,
        summary: 'Stop the turn that runs in a session',
        description: 'What has been said so far is kept. `success` is false when nothing was running.',
        body: abortBody,
        response: { 200: abortReply, ...errorReplies(400, 401, 413, 415) },
      },
    },
    async (request) => ({
      success: await deps.turns.stop(callerOf(request).did, request.body.sessionId, 'aborted'),
    }),
  );

  app.post(
    '/messages/:sessionId',
    {
      config: { keyScopes: ['send'], isConversing: true },
      bodyLimit: sendLimits.bodyBytes,
      schema: {
        tags,
        summary: 'Send a message',
        description: sendDescription,
        headers: sendHeaders,
        params: sessionPath,
        body: sendMessageBody,
        response: {
          200: {
            description: 'The answer, whole or as a stream of events',
            content: { 'application/json': { schema: sendMessageReply }, 'text/event-stream': { schema: z.string() } },
          },
          402: paymentRequired,
          ...errorReplies(400, 401, 404, 409, 413, 415),
          500: failedTurn,
          503: failedTurn,
          504: failedTurn,
        },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const { sessionId } = request.params;
      const place = { ownerDid: did, sessionId, appWords: request.body.instructions };
      const turn = await startTurn(deps, request, reply, { ...request.body, ...place });
      if (request.body.stream) return streamRun(deps, reply, { ...turn, ownerDid: did, sessionId });
      const outcome = await turn.finished;
      const { status, content, finishReason, failure } = outcome;
      if (failure !== undefined) throw turnError({ status, failure }, turn.runId);
      reply.header('x-run-status', status);
      const message = { type: 'ai' as const, content, id: turn.requestId, finishReason };
      if (!request.body.returnAllMessages) return { message, sessionId, status };
      const stored = await deps.conversations.newestMessages(did, sessionId, listedMessages);
      return { message, sessionId, status, messages: stored.map(messageReply) };
    },
  );

  app.get(
    '/messages/:sessionId',
    {
      config: { keyScopes: ['read'], isConversing: true },
      schema: {
        tags,
        summary: 'The messages of a session, oldest first',
        description: `The newest ${listedMessages} of them. A session that is not the caller's has none.`,
        params: sessionPath,
        response: { 200: messageList, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const stored = await deps.conversations.newestMessages(did, request.params.sessionId, listedMessages);
      return { messages: stored.map(messageReply) };
    },
  );
}

const sendDescription = `With \`stream\` the reply is \`text/event-stream\`: frames of an \`id\` that grows, an \`event\` and one line of JSON.
First \`run\`, then \`message\` with deltas to append, \`error\` at most once, and always \`done\` last. Comments are heartbeats.

A client that leaves does not stop the answer: it is kept, and listed with the messages. A second message in the session
interrupts the first, whose text so far is kept, or waits for it, as the service is set.

A stream that was cut goes on at \`GET /runs/{runId}\`. \`tools\` and \`agActions\` can be called by the model and are answered by
the calling tab. \`metadata\` is for plugins. With \`mcpInvocations\` the model can call tools of protected MCP servers:
\`{"server/tool": token}\`.

Of \`attachments\` the message keeps where they are. What is in them is read by the user's own Matrix session, which
\`homeServer\` (or \`x-matrix-homeserver\`) and \`x-matrix-access-token\` give and which is neither kept nor logged; an event is
looked for in the session's room, or in \`metadata.roomId\`. What cannot be read the model is told of, and the turn goes on.`;
