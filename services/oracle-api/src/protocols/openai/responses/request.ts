import { sendLimits } from '@mlango/schemas/oracle-send';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ConversationStore } from '../../../store/conversation-store.js';
import type { StoredMessage } from '../../../store/sessions.js';
import { storableText } from '../../fields.js';
import { archivedSession, inNewSession } from '../../sessions.js';
import {
  functionDefinition,
  functionsOf,
  parallelToolCalls,
  responseText,
  schemaOf,
  toolChoice,
} from '../answer-options.js';
import { argsIn, callArgs, callId } from '../chat/request.js';
import { refusedParam } from '../errors.js';
import { type ChatMessage, type Content, content, readContent, readText } from '../request.js';
import { type AnswerDeps, type AnswerTurn, startAnswer } from '../start-answer.js';
import { type AnswerPlace, itemPlaceIn, placeIn, type ResponseHead } from './response.js';

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
type ResponseItem = z.output<typeof item>;

const input = z.union([text, z.array(item).min(1).max(1_000)]);
type ResponseInput = z.output<typeof input>;

/** Id of the item that an `item_reference` names; undefined for other items. */
function referencedId(one: ResponseItem): string | undefined {
  if ('role' in one || !('id' in one) || typeof one.id !== 'string') return undefined;
  return one['type'] === 'item_reference' || one['type'] === undefined || one['type'] === null ? one.id : undefined;
}

/** Unknown fields are ignored, as for chat completions. */
export const runRequest = z
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
export type RunRequest = z.output<typeof runRequest>;

export interface RunDeps extends AnswerDeps {
  readonly sessionsPerUser: number;
}

/** Starts the answer of a request, in the session that it names, in a new one, or in none. @throws ServiceError if refused */
export async function startRun(
  deps: RunDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: RunRequest,
): Promise<{ readonly turn: AnswerTurn; readonly head: ResponseHead }> {
  const { did } = callerOf(request);
  const named = await sessionNamed(deps, did, body);
  const isStored = body.store !== false || named !== undefined;
  const input = await withReferencedItems(deps, did, body.input);
  const functions = functionsOf({
    functions: body.tools ?? [],
    choice: body.tool_choice,
    parallel: body.parallel_tool_calls,
    isTaken: (name) => deps.plugins.hasTool(name),
  });
  const messages = messagesInInput({ ...body, input });
  const start = (sessionId: string | undefined) =>
    startAnswer(deps, request, reply, {
      model: body.model,
      messages,
      param: 'input',
      ...functions,
      responseSchema: schemaOf(body.text?.format),
      stream: body.stream === true,
      sessionId,
      isWhole: named === undefined,
    });
  const question = messages.findLast(({ role }) => role === 'user')?.text;
  const turn = await (isStored && named === undefined
    ? inNewSession(deps, did, start, archivedSession(deps.now(), question))
    : start(named));
  const { sessionId, requestId, model } = turn;
  const { previous_response_id: previousId, tool_choice, parallel_tool_calls, text } = body;
  const settings = { tool_choice, parallel_tool_calls, text };
  const createdAt = Math.floor(deps.now().getTime() / 1000);
  return { turn, head: { sessionId, requestId, model, createdAt, isStored, previousId, settings } };
}

/** The session that a request continues; undefined if it names none. */
async function sessionNamed(deps: RunDeps, ownerDid: string, body: RunRequest): Promise<string | undefined> {
  const { conversation, previous_response_id: previous } = body;
  if (conversation) return typeof conversation === 'string' ? conversation : conversation.id;
  return previous ? sessionAfter(deps, ownerDid, previous) : undefined;
}

/** A session continues from its newest message only. An earlier response cannot be continued. */
async function sessionAfter({ conversations }: RunDeps, ownerDid: string, previous: string): Promise<string> {
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

/** Maximum number of messages that one request can reference. */
const mostReferenced = 200;

/**
 * The input with each `item_reference` replaced by its stored item.
 * @throws ServiceError for a reference to an item that the user does not have
 */
async function withReferencedItems(
  { conversations }: { readonly conversations: Pick<ConversationStore, 'findMessage'> },
  ownerDid: string,
  input: ResponseInput,
): Promise<ResponseInput> {
  if (typeof input === 'string') return input;
  const known = new Map<string, ReturnType<ConversationStore['findMessage']>>();
  const messageAt = ({ sessionId, requestId }: AnswerPlace) => {
    const key = JSON.stringify([sessionId, requestId]);
    if (known.size >= mostReferenced && !known.has(key)) {
      throw refusedParam(
        'input',
        `input: at most ${mostReferenced} responses are referred to; send the items themselves`,
      );
    }
    const found = known.get(key) ?? conversations.findMessage(ownerDid, sessionId, requestId);
    known.set(key, found);
    return found;
  };
  const items: ResponseItem[] = [];
  for (const item of input) {
    const id = referencedId(item);
    const found = id === undefined ? item : await itemAt(messageAt, id);
    if (found === undefined) throw refusedParam('input', `input: there is no item with id '${id?.slice(0, 200)}'`);
    items.push(found);
  }
  return items;
}

async function itemAt(
  messageAt: (place: AnswerPlace) => ReturnType<ConversationStore['findMessage']>,
  itemId: string,
): Promise<ResponseItem | undefined> {
  const place = itemPlaceIn(itemId);
  const message = place && (await messageAt(place));
  if (place === undefined || message === undefined) return undefined;
  const { index } = place;
  if (index === undefined)
    return { role: message.type === 'ai' ? 'assistant' : 'user', content: referencedText(message) };
  const call = (message.toolCalls ?? [])[index];
  if (call === undefined) return undefined;
  return { type: 'function_call', call_id: call.id, name: call.name, arguments: JSON.stringify(call.args) };
}

/** A message of another session as text that names its files, because the files stay in that session. */
function referencedText({ content, attachments = [] }: Pick<StoredMessage, 'content' | 'attachments'>): string {
  const names = attachments.map(({ filename }) => `[A file came with this message and is not shown: ${filename}]`);
  return [content, ...names].join('\n');
}

/** The input in the common form of both APIs. */
function messagesInInput({ instructions, input }: Pick<RunRequest, 'instructions' | 'input'>): ChatMessage[] {
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  const messages: ChatMessage[] = instructions ? [{ role: 'system', text: instructions }] : [];
  for (const [at, one] of items.entries()) {
    const next = messageOf(one, `input[${at}]`);
    const last = messages.at(-1);
    // Text and calls of one model step are separate items.
    if (last?.role === 'assistant' && next?.toolCalls !== undefined) {
      messages.splice(-1, 1, { ...last, toolCalls: [...(last.toolCalls ?? []), ...next.toolCalls] });
    } else if (next !== undefined) messages.push(next);
  }
  return messages;
}

function messageOf(one: ResponseItem, place: string): ChatMessage | undefined {
  if ('content' in one && 'role' in one) {
    const { role, content } = one as { role: string; content: Content };
    if (role === 'user') return { role, ...readContent(content, `${place}.content`) };
    const text = readText(content, `${place}.content`);
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
