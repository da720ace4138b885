import { sendLimits } from '@mlango/schemas/oracle-send';
import { z } from 'zod';
import { storableText } from '../../fields.js';
import { responseText } from '../answer-format.js';
import { argsIn, callArgs, callId } from '../chat/request.js';
import { type ChatMessage, type Content, content, readContent, readText } from '../request.js';
import { functionDefinition, parallelToolCalls, toolChoice } from '../tools.js';

const text = z.string().overwrite(storableText);

const item = z.union([
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content }),
  z.looseObject({ role: z.literal('assistant'), content: z.union([content, z.tuple([])]) }),
  z.looseObject({ type: z.literal('function_call'), call_id: callId, name: z.string(), arguments: callArgs }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: callId, output: content }),
  z.looseObject({ type: z.literal('reasoning') }),
  // Some clients omit the type.
  z.looseObject({ type: z.literal('item_reference').nullish(), id: z.string().max(400) }),
]);
export type ResponseItem = z.output<typeof item>;

const input = z.union([text, z.array(item).min(1).max(1_000)]);
export type ResponseInput = z.output<typeof input>;

/** Id of the item that an `item_reference` names; undefined for other items. */
export function referencedId(one: ResponseItem): string | undefined {
  if ('role' in one || !('id' in one) || typeof one.id !== 'string') return undefined;
  return one['type'] === 'item_reference' || one['type'] === undefined || one['type'] === null ? one.id : undefined;
}

/** Unknown fields are ignored, as for chat completions. */
export const responseBody = z
  .looseObject({
    model: z.string().max(sendLimits.modelChars).nullish(),
    input,
    instructions: text.nullish(),
    previous_response_id: z.string().max(300).nullish(),
    conversation: z.union([z.string().max(128), z.looseObject({ id: z.string().max(128) })]).nullish(),
    store: z.boolean().nullish(),
    stream: z.boolean().nullish(),
    tools: z
      .array(functionDefinition.extend({ type: z.literal('function', 'only functions of the client are supported') }))
      .max(128)
      .nullish(),
    tool_choice: toolChoice,
    parallel_tool_calls: parallelToolCalls,
    text: responseText,
    background: z.literal(false, 'an answer always continues if its client disconnects').nullish(),
  })
  .refine(({ previous_response_id, conversation }) => !previous_response_id || !conversation, {
    path: ['conversation'],
    message: 'give either previous_response_id or conversation, not both',
  })
  .describe('The request body of `responses.create`');
export type ResponseBody = z.output<typeof responseBody>;

/** The input in the common form of both APIs. */
export function messagesInInput({ instructions, input }: Pick<ResponseBody, 'instructions' | 'input'>): ChatMessage[] {
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  const said: ChatMessage[] = instructions ? [{ role: 'system', text: instructions }] : [];
  for (const [at, one] of items.entries()) {
    const next = messageOf(one, `input[${at}]`);
    const last = said.at(-1);
    // Text and calls of one model step are separate items.
    if (last?.role === 'assistant' && next?.toolCalls !== undefined) {
      said.splice(-1, 1, { ...last, toolCalls: [...(last.toolCalls ?? []), ...next.toolCalls] });
    } else if (next !== undefined) said.push(next);
  }
  return said;
}

function messageOf(one: ResponseItem, place: string): ChatMessage | undefined {
  if ('content' in one && 'role' in one) {
    const { role, content: said } = one as { role: string; content: Content };
    if (role === 'user') return { role, ...readContent(said, `${place}.content`) };
    const text = readText(said, `${place}.content`);
    return { role: role === 'assistant' ? role : 'system', text };
  }
  if (one.type === 'function_call') {
    const { call_id: id, name, arguments: args } = one as { call_id: string; name: string; arguments: CallArgs };
    return { role: 'assistant', text: '', toolCalls: [{ id, name, args: argsIn(args) }] };
  }
  if (one.type !== 'function_call_output') return undefined;
  const { call_id: toolCallId, output } = one as { call_id: string; output: Content };
  return { role: 'tool', text: readText(output, `${place}.output`), toolCallId };
}

type CallArgs = z.output<typeof callArgs>;
