import { sendLimits } from '@mlango/schemas/oracle-send';
import { z } from 'zod';
import { isObject, parseJson } from '../../../parse-json.js';
import { responseFormat } from '../answer-format.js';
import { type ChatMessage, content, readContent, readText } from '../request.js';
import { functionDefinition, parallelToolCalls, toolChoice } from '../tools.js';

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
export const chatBody = z
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
export type ChatBody = z.output<typeof chatBody>;

/** The messages in the common form of both APIs. @throws ServiceError for a part that is not accepted */
export function messagesIn(messages: ChatBody['messages']): ChatMessage[] {
  return messages.map((message, at) => messageOf(message, `messages[${at}].content`));
}

function messageOf(message: ChatBody['messages'][number], place: string): ChatMessage {
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
