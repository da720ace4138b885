import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { z } from 'zod';
import { turnError } from '../../../http/errors.js';
import { requireContent } from '../../../http/hooks/api-key-auth.js';
import { followRun, type StreamDeps, streamEvents } from '../../../http/runs.js';
import { rightsOf } from '../../../identity/route-rights.js';
import type { ModelCatalog } from '../../../models/model-catalog.js';
import type { RunStart } from '../../../runs/log/store.js';
import { isLive } from '../../../runs/run.js';
import type { RunRepository } from '../../../runs/run-repository.js';
import type { ConversationStore } from '../../../store/conversation-store.js';

import { errorReplies } from '../errors.js';
import { eventText, frameBefore, runEvents } from './events.js';
import { type RunDeps, runRequest, startRun } from './request.js';
import { type KnownAnswer, placeIn, type ResponseHead, responseObject, responseOf } from './response.js';

const tags = ['openai'];
const path = z.object({ responseId: z.string() });
const answered = {
  description: 'The answer, complete or as a stream of events',
  content: { 'application/json': { schema: responseObject }, 'text/event-stream': { schema: z.string() } },
};

/** `/v1/responses` */
export function routes(scope: HttpApp, deps: RunDeps & StreamDeps): void {
  scope.post(
    '/responses',
    {
      config: rightsOf('POST /v1/responses'),
      bodyLimit: deps.bodyLimit,
      schema: {
        tags,
        operationId: 'createResponse',
        summary: 'Answer in a stored conversation',
        description,
        body: withExample(runRequest, { input: 'Hello' }),
        response: { 200: answered, ...errorReplies(400, 402, 404, 409, 413, 415, 504) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { turn, head } = await startRun(deps, request, reply, body);
      if (body.stream === true) {
        const follow = (signal: AbortSignal) => runEvents(followRun(deps, turn, 0, signal), head, () => turn.finished);
        return streamEvents(deps, reply, follow, eventText);
      }
      const outcome = await turn.finished;
      if (outcome.failure !== undefined) throw turnError({ ...outcome, failure: outcome.failure }, turn.runId);
      return responseOf(head, outcome);
    },
  );

  scope.get(
    '/responses/:responseId',
    {
      config: rightsOf('GET /v1/responses/:responseId'),
      schema: {
        tags,
        operationId: 'getResponse',
        summary: 'Get a response or the rest of its stream',
        params: path,
        querystring: z.object({
          stream: z.enum(['true', 'false']).optional(),
          starting_after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
        }),
        response: { 200: answered, ...errorReplies(400, 404) },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const { head, answer, runId } = await findResponse(deps, did, request.params.responseId);
      if (request.query.stream !== 'true') return responseOf(head, answer);
      const run: RunStart = { runId, ownerDid: did, sessionId: head.sessionId, requestId: head.requestId };
      const { starting_after: after = -1 } = request.query;
      const ended = async () => (await findResponse(deps, did, request.params.responseId)).answer ?? emptyAnswer;
      const follow = (signal: AbortSignal) =>
        runEvents(followRun(deps, run, frameBefore(after), signal), head, ended, after);
      return streamEvents(deps, reply, follow, eventText);
    },
  );

  scope.post(
    '/responses/:responseId/cancel',
    {
      config: rightsOf('POST /v1/responses/:responseId/cancel'),
      schema: {
        tags,
        operationId: 'cancelResponse',
        summary: 'Stop a running response',
        params: path,
        response: { 200: responseObject, ...errorReplies(400, 404, 413, 415) },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const { head, answer } = await findResponse(deps, did, request.params.responseId);
      if (answer !== undefined) {
        requireContent(request, 'earlier');
        return responseOf(head, answer);
      }
      await deps.turns.stop(did, head.sessionId, 'aborted');
      return responseOf(head, { ...emptyAnswer, status: 'aborted' });
    },
  );
}

const emptyAnswer = { content: '' };

const description = `For \`responses.create\` of the OpenAI SDKs. With \`conversation\`, the id of a session, or \`previous_response_id\`, the last response of
a session, the last message of \`input\` is sent to that session. With neither, \`input\` is the conversation. It is stored in a new
session; with \`store: false\` it is not stored, and the answer stops if the client disconnects.

\`stream\` returns the events of this protocol. Resume an interrupted stream at \`GET /v1/responses/{id}?stream=true&starting_after=N\`.`;

interface FindParts {
  readonly conversations: Pick<ConversationStore, 'findMessage'>;
  readonly runRepository: Pick<RunRepository, 'findLatest'>;
  readonly models: ModelCatalog;
}

interface Found {
  readonly head: ResponseHead;
  readonly runId: string;
  /** Undefined while the run continues. */
  readonly answer: KnownAnswer | undefined;
}

/** @throws ServiceError for a response that the user does not have */
async function findResponse(parts: FindParts, ownerDid: string, responseId: string): Promise<Found> {
  const place = placeIn(responseId);
  const found = place && (await lookUp(parts, ownerDid, place.sessionId, place.requestId));
  if (found !== undefined) return found;
  throw new ServiceError('not_found', `Response with id '${responseId.slice(0, 200)}' not found.`);
}

async function lookUp(
  { conversations, runRepository, models }: FindParts,
  ownerDid: string,
  sessionId: string,
  requestId: string,
): Promise<Found | undefined> {
  const latest = await runRepository.findLatest(ownerDid, sessionId);
  const head = { sessionId, requestId, model: models.default.id, isStored: true };
  const run = latest?.requestId === requestId ? latest : undefined;
  if (run !== undefined && isLive(run.status)) {
    return { head: { ...head, createdAt: epochSeconds(run.createdAt) }, runId: run.runId, answer: undefined };
  }
  const message = await conversations.findMessage(ownerDid, sessionId, requestId);
  if (message?.type === 'ai') {
    return { head: { ...head, createdAt: epochSeconds(message.createdAt) }, runId: message.turnId, answer: message };
  }
  // The run ended without text.
  if (run === undefined || run.status === 'queued' || run.status === 'running' || run.status === 'recovering')
    return undefined;
  const answer = { content: '', status: run.status };
  return { head: { ...head, createdAt: epochSeconds(run.createdAt) }, runId: run.runId, answer };
}

function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
