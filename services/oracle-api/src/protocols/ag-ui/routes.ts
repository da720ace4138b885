import { paymentRequired } from '@mlango/schemas/oracle-runs';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
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
import { bearerIsInvocation, requireSettling } from '../admission.js';
import { openNewNamedSession } from '../sessions.js';
import { storeToolResults } from '../tool-results.js';
import { settleInterrupts } from './approvals.js';
import { AgUiEvents } from './events.js';
import { instructionsOf, newestOf, type RunInput, runInput, toolsOf } from './request.js';

/** `/ag-ui`: the endpoint of AG-UI's `HttpAgent`. */
export function routes(scope: HttpApp, deps: Deps): void {
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
        body: runInput,
        response: {
          200: { description: 'Events of AG-UI', content: { 'text/event-stream': { schema: z.string() } } },
          402: paymentRequired,
          ...errorReplies(400, 401, 404, 409, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { run, after } = await runOf(deps, request, reply, body);
      const events = new AgUiEvents({
        threadId: body.threadId,
        sessionId: run.sessionId,
        clientRunId: body.runId,
        runId: run.runId,
        state: body.state,
        acceptsCancelled: typeof body.protocolVersion === 'string',
        pageTools: body.tools.map(({ name }) => name),
      });
      const callsOf = async () =>
        (await deps.conversations.findMessage(run.ownerDid, run.sessionId, run.requestId))?.toolCalls ?? [];
      const follow = async function* (signal: AbortSignal) {
        yield events.begin();
        for await (const frames of followRun(deps, run, after, signal)) {
          for (const frame of frames) {
            const translated = await events.of(frame, callsOf);
            if (translated.length > 0) yield translated;
          }
        }
      };
      reply.header('x-run-id', run.runId);
      return streamEvents(deps, reply, follow, (event) => `data: ${JSON.stringify(event)}\n\n`);
    },
  );
}

/** The run of a request: a resumed one, a repeated one, or a new one. */
async function runOf(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: RunInput,
): Promise<{ run: RunStart; after: number }> {
  const { did: ownerDid } = callerOf(request);
  const { threadId, runId: requestId } = body;
  const resume = body.resume ?? [];
  const own = await deps.sessionNames.find(ownerDid, threadId);
  const found = own ?? threadId;
  if (resume.length > 0) {
    requireSettling(request);
    requireContent(request, 'earlier');
    return settleInterrupts(deps, ownerDid, found, resume);
  }
  const known = await findRepeated(deps, ownerDid, found, requestId);
  if (known !== undefined) {
    requireContent(request, 'earlier');
    return { run: known, after: 0 };
  }
  const { words, files: incoming, results } = newestOf(body);
  const files = deps.messageFiles.check(incoming, deps.models.default);
  if (results.size > 0) requireContent(request, 'calls');
  const history = results.size > 0 ? await storeToolResults(deps, ownerDid, found, results, 'messages') : undefined;
  // The results are stored in the session, which the turn of a text message reads.
  const said =
    words === undefined ? { message: 'Here is what came of the calls.', history } : { message: words, files };
  const sessionId =
    own === undefined && history === undefined
      ? await openNewNamedSession(deps, ownerDid, threadId, 'threadId')
      : found;
  const asked = { tools: toolsOf(body), systemPrompt: instructionsOf(body), hasClientTools: true };
  const where = { ownerDid, sessionId, requestId, stream: true, returnAllMessages: false };
  const turn = await startTurn(deps, request, reply, { ...said, ...asked, ...where });
  return { run: { ...turn, ownerDid, sessionId }, after: 0 };
}

/** The running or finished run of a repeated request. */
async function findRepeated(
  { register, conversations }: Pick<Deps, 'register' | 'conversations'>,
  ownerDid: string,
  sessionId: string,
  requestId: string,
): Promise<RunStart | undefined> {
  const live = await register.findByRequest(ownerDid, requestId);
  if (live?.sessionId === sessionId) return live;
  const answer = await conversations.findMessage(ownerDid, sessionId, requestId);
  return answer && { runId: answer.turnId, ownerDid, sessionId, requestId };
}
