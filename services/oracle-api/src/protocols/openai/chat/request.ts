import { sendLimits } from '@mlango/schemas/oracle-send';
import { isObject, parseJson } from '@mlango/service-kit/parse-json';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  functionDefinition,
  functionsOf,
  parallelToolCalls,
  responseFormat,
  schemaOf,
  toolChoice,
} from '../answer-options.js';
import { type ChatMessage, content, readContent, readText } from '../request.js';
import { type AnswerDeps, type AnswerTurn, startAnswer } from '../start-answer.js';

/** Maximum number of messages in one request. */
const mostMessages = 1_000;

/** An id chosen by the client, which is returned unchanged. */
export const callId = z.string().min(1).max(1_024);
/** JSON text; some clients send the object itself. */
export const callArgs = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish();
const toolCall = z.looseObject({
  id: callId,
  type: z.literal('function').nullish(),
  function: z.looseObject({ name: z.string().min(1).max(sendLimits.toolNameChars), arguments: callArgs }),
});

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({ role: z.literal('assistant'), content: content.nullish(), tool_calls: z.array(toolCall).nullish() }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: callId, content }),
]);

/** Unknown fields are ignored: they affect the style of a model, not the request. */
export const runRequest = z
  .looseObject({
    model: z.string().max(sendLimits.modelChars).nullish(),
    messages: z.array(message).min(1).max(mostMessages),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    tools: z
      .array(z.looseObject({ type: z.literal('function'), function: functionDefinition }))
      .max(128)
      .nullish(),
    tool_choice: toolChoice,
    parallel_tool_calls: parallelToolCalls,
    n: z.literal(1, 'only one answer is supported').nullish(),
    response_format: responseFormat,
    modalities: z.array(z.literal('text', 'only text answers are supported')).nullish(),
    functions: z.null('is deprecated: use tools').optional(),
    function_call: z.null('is deprecated: use tool_choice').optional(),
  })
  .describe('The request body of `chat.completions.create`');
type RunRequest = z.output<typeof runRequest>;

/** Starts the answer of a request: in the session of the header, else without one. @throws ServiceError if refused */
export function startRun(
  deps: AnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: RunRequest,
): Promise<AnswerTurn> {
  const sessionId = [request.headers['x-session-id']].flat()[0];
  return startAnswer(deps, request, reply, {
    model: body.model,
    messages: messagesIn(body.messages),
    param: 'messages',
    ...functionsOf({
      functions: (body.tools ?? []).map((tool) => tool.function),
      choice: body.tool_choice,
      parallel: body.parallel_tool_calls,
      isTaken: (name) => deps.plugins.hasTool(name),
    }),
    responseSchema: schemaOf(body.response_format),
    stream: body.stream === true,
    sessionId,
    isWhole: sessionId === undefined,
  });
}

/** The messages in the common form of both APIs. @throws ServiceError for a part that is not accepted */
function messagesIn(messages: RunRequest['messages']): ChatMessage[] {
  return messages.map((message, at) => messageOf(message, `messages[${at}].content`));
}

function messageOf(message: RunRequest['messages'][number], place: string): ChatMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: readText(message.content, place) };
    case 'user':
      return { role: 'user', ...readContent(message.content, place) };
    case 'tool':
      return { role: 'tool', text: readText(message.content, place), toolCallId: message.tool_call_id };
    case 'assistant': {
      const calls = message.tool_calls ?? [];
      const toolCalls = calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args: argsIn(args) }));
      return { role: 'assistant', text: readText(message.content, place), ...(calls.length > 0 && { toolCalls }) };
    }
  }
}

/** Arguments of a call as the model wrote them; none if they are no object. */
export function argsIn(args: z.output<typeof callArgs>): Record<string, unknown> {
  if (typeof args === 'object') return args ?? {};
  const parsed = parseJson(args ?? '');
  return isObject(parsed) ? { ...parsed } : {};
}
