import { failedTurn } from '@mlango/schemas/errors';
import { messagePath, regenerateBody } from '@mlango/schemas/oracle-branches';
import { messageList } from '@mlango/schemas/oracle-messages';
import { abortBody, abortReply, paymentRequired } from '@mlango/schemas/oracle-runs';
import { sendLimits, sendMessageBody, sendMessageReply } from '@mlango/schemas/oracle-send';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { rightsOf } from '../identity/route-rights.js';
import { credentialsOf } from '../sockets/member.js';
import type { Realtime } from '../sockets/realtime.js';
import { errorReplies, turnError } from './errors.js';
import { requireContent } from './hooks/api-key-auth.js';
import { type HistoryDeps, listedMessages, listMessages } from './message-list.js';
import { type StreamDeps, streamRun } from './runs.js';
import { matrixHeaders, resolveBranchPoint, type SendDeps, startTurn } from './start-turn.js';

const tags = ['messages'];

const sendHeaders = matrixHeaders.extend({
  'x-timezone': z.string().optional().describe("IANA name of the user's time zone; the body's `timezone` has priority"),
});

const answered = {
  200: {
    description: 'The answer, complete or as a stream of events',
    content: { 'application/json': { schema: sendMessageReply }, 'text/event-stream': { schema: z.string() } },
  },
  402: paymentRequired,
  ...errorReplies(400, 401, 404, 409, 413, 415),
  500: failedTurn,
  503: failedTurn,
  504: failedTurn,
};

interface MessageDeps extends SendDeps, StreamDeps, Pick<HistoryDeps, 'pools'> {
  readonly conversations: SendDeps['conversations'];
}

/** `/messages`: send a message, list messages, abort the running answer. */
export function messageRoutes(app: HttpApp, deps: MessageDeps): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply, body: Parameters<typeof startTurn>[3]) => {
    const { ownerDid, sessionId } = body;
    if (body.returnAllMessages) requireContent(request, 'earlier');
    const turn = await startTurn(deps, request, reply, body);
    if (body.stream) return streamRun(deps, reply, { ...turn, ownerDid, sessionId });
    const { status, content, finishReason, failure } = await turn.finished;
    if (failure !== undefined) throw turnError({ status, failure }, turn.runId);
    reply.header('x-run-status', status);
    const message = { type: 'ai' as const, content, id: turn.requestId, finishReason };
    if (!body.returnAllMessages) return { message, sessionId, status };
    return { message, sessionId, status, messages: await listMessages(deps, request, sessionId) };
  };

  app.post(
    '/messages/abort',
    {
      config: rightsOf('POST /messages/abort'),
      schema: {
        tags,
        operationId: 'abortMessage',
        summary: 'Stop the running turn of a session',
        description: 'The partial answer is stored. `success` is false if no turn was running.',
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
      config: rightsOf('POST /messages/:sessionId'),
      bodyLimit: sendLimits.bodyBytes,
      schema: {
        tags,
        operationId: 'sendMessage',
        summary: 'Send a message',
        description: sendDescription,
        headers: sendHeaders,
        params: sessionPath,
        body: withExample(sendMessageBody, { message: 'What is 12 times 12?' }),
        response: answered,
      },
    },
    async (request, reply) => {
      const { edits, instructions, ...body } = request.body;
      const place = { ownerDid: callerOf(request).did, sessionId: request.params.sessionId };
      const of =
        edits === undefined ? undefined : await resolveBranchPoint(deps, place.ownerDid, place.sessionId, edits);
      const instead = of && { of, isAgain: false };
      return answer(request, reply, { ...body, ...place, systemPrompt: instructions, branchFrom: instead });
    },
  );

  app.post(
    '/sessions/:sessionId/messages/:messageId/regenerate',
    {
      config: rightsOf('POST /sessions/:sessionId/messages/:messageId/regenerate'),
      bodyLimit: sendLimits.bodyBytes,
      schema: {
        tags,
        operationId: 'regenerateMessage',
        summary: 'Regenerate the answer to a message',
        description:
          'Answers the message again on a new branch, which is selected. The earlier answer and later messages stay on their branch.',
        headers: sendHeaders,
        params: messagePath,
        body: withExample(regenerateBody, {}),
        response: answered,
      },
    },
    async (request, reply) => {
      const { instructions, ...body } = request.body;
      const { sessionId, messageId } = request.params;
      const place = { ownerDid: callerOf(request).did, sessionId };
      const of = await resolveBranchPoint(deps, place.ownerDid, sessionId, messageId);
      const original = { message: of.content, attachments: of.attachments?.slice(), systemPrompt: instructions };
      return answer(request, reply, { ...body, ...place, ...original, branchFrom: { of, isAgain: true } });
    },
  );

  app.get(
    '/messages/:sessionId',
    {
      config: rightsOf('GET /messages/:sessionId'),
      schema: {
        tags,
        operationId: 'listMessages',
        summary: 'List the messages of a session, oldest first',
        description: `The newest turns: at most ${listedMessages} messages and 4 MiB. The list is empty for a session of another user.`,
        params: sessionPath,
        response: { 200: messageList, ...errorReplies(400, 401) },
      },
    },
    async (request) => ({ messages: await listMessages(deps, request, request.params.sessionId) }),
  );
}

const sendDescription = `With \`stream\` the reply is \`text/event-stream\`: frames with an increasing \`id\`, an \`event\` and one line of JSON.
The first event is \`run\`, then \`message\` with deltas to append, \`error\` at most once, and always \`done\` last. Comments are heartbeats.

The answer continues if the client disconnects. It is stored and listed with the messages. A second message in the session
interrupts the first and stores its partial answer, or is queued behind it, depending on the configuration of the service.

With \`edits\` the message replaces an earlier one on a new branch, which is selected. The earlier messages stay on their branch:
\`GET /sessions/{sessionId}/branches\` lists the branches of the conversation.

Resume an interrupted stream at \`GET /runs/{runId}\`. The model can call \`tools\` and \`agActions\`; the calling tab runs the calls.
\`metadata\` is for plugins. With \`mcpInvocations\` the model can call tools of protected MCP servers: \`{"server/tool": token}\`.

The message stores references to \`attachments\`. Their content is read with the Matrix session of the user: \`homeServer\`
(or \`x-matrix-homeserver\`) and \`x-matrix-access-token\`; the session is neither stored nor logged. An event is read from the
room of the session, or from \`metadata.roomId\`. If an attachment cannot be read, the model gets a note and the turn continues.`;

/**
 * Stores the tab that a message with tools or actions came from: calls of its turn go to the socket with the same token. For routes below
 * `/messages/:sessionId`, with a caller.
 */
export function trackDeclaringTab(scope: HttpApp, deps: { readonly realtime: Pick<Realtime, 'calls'> }): void {
  scope.addHook('preHandler', (request, _reply, done) => {
    const { params, body, headers, routeOptions } = request;
    const isSend = routeOptions.method === 'POST' && routeOptions.url === '/messages/:sessionId';
    if (isSend && declaresCalls(body) && hasSessionId(params)) {
      const bearer = headers.authorization?.replace(/^bearer /i, '');
      const credentials = credentialsOf(bearer, headers['x-ucan-delegation']);
      const { sessionId } = params;
      const { did: ownerDid, actor } = callerOf(request);
      deps.realtime.calls.declareTools({ ownerDid, sessionId, actor }, credentials);
    }
    done();
  });
}

function declaresCalls(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { tools, agActions }: { tools?: unknown; agActions?: unknown } = body;
  return [tools, agActions].some((declared) => Array.isArray(declared) && declared.length > 0);
}

function hasSessionId(params: unknown): params is { sessionId: string } {
  return typeof params === 'object' && params !== null && 'sessionId' in params && typeof params.sessionId === 'string';
}
