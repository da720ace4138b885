import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { z } from 'zod';
import type { TurnOutcome } from '../../../agent/turn.js';
import { turnError } from '../../../http/errors.js';
import { followRun, type StreamDeps, streamEvents } from '../../../http/runs.js';
import { rightsOf } from '../../../identity/route-rights.js';
import { errorReplies } from '../errors.js';
import type { AnswerDeps } from '../start-answer.js';
import { chatUsage, eventText, finishReasonOf, runEvents, toolCallsOf } from './events.js';
import { runRequest, startRun } from './request.js';

const usage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });

const chatCompletion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.looseObject({ role: z.literal('assistant'), content: z.string().nullable() }),
        finish_reason: z.enum(['stop', 'length', 'tool_calls']),
        logprobs: z.null(),
      }),
    ),
    usage: usage.optional(),
  })
  .describe('A complete answer');

/** `/v1/chat/completions` */
export function routes(scope: HttpApp, deps: AnswerDeps & StreamDeps): void {
  scope.post(
    '/chat/completions',
    {
      config: rightsOf('POST /v1/chat/completions'),
      bodyLimit: deps.bodyLimit,
      schema: {
        tags: ['openai'],
        operationId: 'createChatCompletion',
        summary: 'Answer a conversation',
        description,
        headers: z.object({ 'x-session-id': z.string().optional().describe('id of a session from `POST /sessions`') }),
        body: withExample(runRequest, { messages: [{ role: 'user', content: 'Hello' }] }),
        response: {
          200: {
            description: 'The answer, complete or as a stream of chunks',
            content: { 'application/json': { schema: chatCompletion }, 'text/event-stream': { schema: z.string() } },
          },
          ...errorReplies(400, 402, 404, 409, 413, 415, 504),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const created = Math.floor(deps.now().getTime() / 1000);
      const turn = await startRun(deps, request, reply, body);
      const head = { id: `chatcmpl-${turn.requestId}`, created, model: turn.model };
      if (body.stream === true) {
        const hasUsage = body.stream_options?.include_usage === true;
        const follow = (signal: AbortSignal) =>
          runEvents(followRun(deps, turn, 0, signal), turn.finished, { ...head, hasUsage });
        return streamEvents(deps, reply, follow, eventText);
      }
      const outcome = await turn.finished;
      if (outcome.failure !== undefined) throw turnError({ ...outcome, failure: outcome.failure }, turn.runId);
      return { ...head, object: 'chat.completion' as const, choices: [choiceOf(outcome)], ...usageOf(outcome) };
    },
  );
}

function choiceOf(outcome: TurnOutcome) {
  const { content, reasoning } = outcome;
  const calls = toolCallsOf(outcome);
  return {
    index: 0 as const,
    message: {
      role: 'assistant' as const,
      content: content === '' ? null : content,
      refusal: null,
      ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
    finish_reason: finishReasonOf(outcome),
    logprobs: null,
  };
}

function usageOf({ usage }: TurnOutcome) {
  return usage === undefined ? {} : { usage: chatUsage(usage) };
}

const description = `For \`chat.completions.create\` of the OpenAI SDKs, with an invocation as the API key. Without a session, the request
contains the whole conversation, and nothing is stored. With the header \`X-Session-Id\`, the last message is sent to that session,
which has the history.

\`tools\` of type \`function\` are offered to the model in addition to the oracle's own tools. A call of such a tool ends the answer
with \`tool_calls\`; the next request contains the result. Supported: \`stream\`, \`stream_options.include_usage\`, \`tool_choice\`,
\`parallel_tool_calls\` and \`response_format\`: the JSON of the answer is validated against its schema. Temperature, length and
similar parameters are ignored.

If the client disconnects, the answer stops, unless it belongs to a session. A stopped answer ends with \`length\`. If a tool call
needs an approval of the user, the answer ends with a text that names the place to decide.`;
