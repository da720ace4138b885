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
import type { ConversationStore } from '../../../store/sessions.js';
import { archivedSession, inNewSession } from '../../sessions.js';
import { schemaOf } from '../answer-format.js';
import { openAiErrors, refusedParam } from '../errors.js';
import { type AnswerDeps, startAnswer } from '../start-openai-turn.js';
import { functionsOf } from '../tools.js';
import { frameBefore, type ResponseEvent, responseEvents } from './events.js';
import { messagesInInput, type ResponseBody, responseBody } from './request.js';
import {
  type KnownAnswer,
  placeIn,
  type ResponseHead,
  responseObject,
  responseOf,
  withReferencedItems,
} from './response.js';

export type ResponseDeps = AnswerDeps & StreamDeps & { readonly sessionsPerUser: number };

const tags = ['openai'];
const path = z.object({ responseId: z.string() });
const answered = {
  description: 'The answer, complete or as a stream of events',
  content: { 'application/json': { schema: responseObject }, 'text/event-stream': { schema: z.string() } },
};

/** `/v1/responses` */
export function responseRoutes(scope: HttpApp, deps: ResponseDeps): void {
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
        body: withExample(responseBody, { input: 'Hello' }),
        response: { 200: answered, ...openAiErrors(400, 402, 404, 409, 413, 415, 504) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const stream = body.stream === true;
      const { did } = callerOf(request);
      const named = await sessionNamed(deps, did, body);
      const isKept = body.store !== false || named !== undefined;
      const input = await withReferencedItems(deps, did, body.input);
      const functions = functionsOf({
        functions: body.tools ?? [],
        choice: body.tool_choice,
        parallel: body.parallel_tool_calls,
        isTaken: (name) => deps.plugins.hasTool(name),
      });
      const messages = messagesInInput({ ...body, input });
      const asked = (sessionId: string | undefined) =>
        startAnswer(deps, request, reply, {
          model: body.model,
          said: messages,
          param: 'input',
          ...functions,
          responseSchema: schemaOf(body.text?.format),
          stream,
          sessionId,
          isWhole: named === undefined,
        });
      const question = messages.findLast(({ role }) => role === 'user')?.text;
      const turn = await (isKept && named === undefined
        ? inNewSession(deps, did, asked, archivedSession(deps.now(), question))
        : asked(named));
      const { sessionId, requestId, model } = turn;
      const previousId = body.previous_response_id;
      const { tool_choice, parallel_tool_calls, text } = body;
      const settings = { tool_choice, parallel_tool_calls, text };
      const head = { sessionId, requestId, model, createdAt: secondsOf(deps.now()), isKept, previousId, settings };
      if (stream) {
        const follow = (signal: AbortSignal) =>
          responseEvents(followRun(deps, turn, 0, signal), head, () => turn.finished);
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
        response: { 200: answered, ...openAiErrors(400, 404) },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const { head, answer, runId } = await findResponse(deps, did, request.params.responseId);
      if (request.query.stream !== 'true') return responseOf(head, answer);
      const run: RunStart = { runId, ownerDid: did, sessionId: head.sessionId, requestId: head.requestId };
      const { starting_after: after = -1 } = request.query;
      const ended = async () => (await findResponse(deps, did, request.params.responseId)).answer ?? nothingSaid;
      const follow = (signal: AbortSignal) =>
        responseEvents(followRun(deps, run, frameBefore(after), signal), head, ended, after);
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
        response: { 200: responseObject, ...openAiErrors(400, 404, 413, 415) },
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
      return responseOf(head, { ...nothingSaid, status: 'aborted' });
    },
  );
}

const nothingSaid = { content: '' };

function eventText(event: ResponseEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** The session that a request continues; undefined if it names none. */
async function sessionNamed(deps: ResponseDeps, ownerDid: string, body: ResponseBody): Promise<string | undefined> {
  const { conversation, previous_response_id: previous } = body;
  if (conversation) return typeof conversation === 'string' ? conversation : conversation.id;
  return previous ? sessionAfter(deps, ownerDid, previous) : undefined;
}

/** A session continues from its newest message only. An earlier response cannot be continued. */
async function sessionAfter({ conversations }: ResponseDeps, ownerDid: string, previous: string): Promise<string> {
  const param = 'previous_response_id';
  const place = placeIn(previous);
  const [last] = place === undefined ? [] : await conversations.newestMessages(ownerDid, place.sessionId, 1);
  if (place !== undefined && last?.messageId === place.requestId) return place.sessionId;
  const isOld =
    place !== undefined && (await conversations.findMessage(ownerDid, place.sessionId, place.requestId)) !== undefined;
  const message = isOld
    ? `Response '${previous}' is not the last one of its conversation, and only the last one can be continued.`
    : `Previous response with id '${previous}' not found.`;
  throw refusedParam(param, message, isOld ? 'previous_response_not_last' : 'previous_response_not_found');
}

const description = `For \`responses.create\` of the OpenAI SDKs. With \`conversation\`, the id of a session, or \`previous_response_id\`, the last response of
a session, the last message of \`input\` is sent to that session. With neither, \`input\` is the conversation. It is stored in a new
session; with \`store: false\` it is not stored, and the answer stops if the client disconnects.

\`stream\` returns the events of this protocol. Resume an interrupted stream at \`GET /v1/responses/{id}?stream=true&starting_after=N\`.`;

interface FindParts {
  readonly conversations: Pick<ConversationStore, 'findMessage'>;
  readonly register: Pick<RunRepository, 'findLatest'>;
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
  { conversations, register, models }: FindParts,
  ownerDid: string,
  sessionId: string,
  requestId: string,
): Promise<Found | undefined> {
  const latest = await register.findLatest(ownerDid, sessionId);
  const head = { sessionId, requestId, model: models.default.id, isKept: true };
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
