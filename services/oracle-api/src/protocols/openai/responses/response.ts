import { z } from 'zod';
import type { TurnOutcome } from '../../../agent/turn.js';
import type { StoredAttachment, StoredMessage } from '../../../store/sessions.js';
import { type parallelToolCalls, type responseText, shownChoice, type toolChoice } from '../answer-options.js';

/** Item ids contain the position of their message, so that an `item_reference` is resolved without a table. */
export function messageItemId({ sessionId, requestId }: AnswerPlace): string {
  return `msg_${sessionId}.${requestId}`;
}

/** @param index of the call among all calls of the answer, which stays after the call is answered */
function callItemId({ sessionId, requestId }: AnswerPlace, index: number): string {
  return `fc_${sessionId}.${index}.${requestId}`;
}

interface ItemPlace extends AnswerPlace {
  /** Index of a call; undefined for a message. */
  readonly index: number | undefined;
}

/** Undefined for another id. Session ids have no dots. */
export function itemPlaceIn(itemId: string): ItemPlace | undefined {
  const [, sessionId, index, requestId] =
    /^(?:msg|fc)_([^.]+)\.(?:(?<=^fc_[^.]+\.)(\d{1,3})\.)?(.+)$/.exec(itemId) ?? [];
  if (sessionId === undefined || requestId === undefined) return undefined;
  return { sessionId, requestId, index: index === undefined ? undefined : Number(index) };
}

/** A response id contains its session and its answer, so that no look-up is needed. */
export interface AnswerPlace {
  readonly sessionId: string;
  readonly requestId: string;
}

function responseIdOf({ sessionId, requestId }: AnswerPlace): string {
  return `resp_${sessionId}.${requestId}`;
}

/** Undefined for another id. Session ids have no dots. */
export function placeIn(responseId: string): AnswerPlace | undefined {
  const [, sessionId, requestId] = /^resp_([^.]+)\.(.+)$/.exec(responseId) ?? [];
  return sessionId === undefined || requestId === undefined ? undefined : { sessionId, requestId };
}

export const responseObject = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    model: z.string(),
    status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'cancelled', 'failed']),
    output: z.array(z.looseObject({ type: z.string(), id: z.string() })),
    conversation: z.object({ id: z.string() }).nullable().describe('the session that stores the response'),
  })
  .describe('An answer');

export interface ResponseHead extends AnswerPlace {
  readonly createdAt: number;
  readonly model: string;
  /** Whether the response is stored in a session. */
  readonly isStored: boolean;
  readonly previousId?: string | null | undefined;
  /** Fields of the request that the response repeats; unknown for a stored response. */
  readonly settings?: {
    readonly tool_choice?: z.output<typeof toolChoice>;
    readonly parallel_tool_calls?: z.output<typeof parallelToolCalls>;
    readonly text?: z.output<typeof responseText>;
  };
}

/** State of an answer: undefined while the run continues. */
export type KnownAnswer = Pick<TurnOutcome, 'content' | 'toolCalls' | 'finishReason' | 'usage' | 'failure'> & {
  readonly status?: TurnOutcome['status'] | undefined;
};

export function responseOf(head: ResponseHead, answer: KnownAnswer | undefined) {
  const status = statusOf(answer);
  const { tool_choice, parallel_tool_calls, text } = head.settings ?? {};
  return {
    id: responseIdOf(head),
    object: 'response' as const,
    created_at: head.createdAt,
    status,
    error: errorOf(answer?.failure),
    incomplete_details: incompleteOf(answer),
    instructions: null,
    metadata: {},
    model: head.model,
    output: answer === undefined ? [] : outputOf(head, answer),
    parallel_tool_calls: parallel_tool_calls ?? true,
    temperature: null,
    top_p: null,
    tool_choice: shownChoice(tool_choice),
    ...(text && { text }),
    tools: [],
    previous_response_id: head.previousId ?? null,
    conversation: head.isStored ? { id: head.sessionId } : null,
    store: head.isStored,
    usage: answer?.usage === undefined ? null : usageOf(answer.usage),
  };
}

/** Output items: the text of an answer, then the calls of client tools. */
export function outputOf(place: AnswerPlace, { content, toolCalls }: Pick<KnownAnswer, 'content' | 'toolCalls'>) {
  const calls = callItems(place, toolCalls);
  return content === '' ? calls : [messageItem(place, content), ...calls];
}

export function messageItem(place: AnswerPlace, text: string | undefined) {
  const status = text === undefined ? 'in_progress' : 'completed';
  const content = text === undefined ? [] : [textPart(text)];
  return { id: messageItemId(place), type: 'message', role: 'assistant', status, content };
}

export function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

/** Calls of client tools. */
export function callItems(place: AnswerPlace, calls: KnownAnswer['toolCalls'] = []) {
  return calls.flatMap(({ id, name, args, status }, index) => {
    if (status !== 'handed') return [];
    const call = { call_id: id, name, arguments: JSON.stringify(args) };
    return [{ id: callItemId(place, index), type: 'function_call', status: 'completed', ...call }];
  });
}

function errorOf(failure: KnownAnswer['failure']) {
  return failure === undefined ? null : { code: failure.code ?? 'server_error', message: failure.detail };
}

/** Reason for an incomplete answer. Without a reason clients consider an answer complete. */
function incompleteOf(answer: KnownAnswer | undefined) {
  if (answer?.status === 'aborted' || answer?.status === 'interrupted') return { reason: answer.status };
  return answer?.finishReason === 'length' ? { reason: 'max_output_tokens' } : null;
}

function statusOf(answer: KnownAnswer | undefined) {
  if (answer === undefined) return 'in_progress' as const;
  if (answer.status === 'aborted') return 'cancelled' as const;
  if (answer.finishReason === 'length' || answer.status === 'interrupted') return 'incomplete' as const;
  return answer.status === 'failed' || answer.failure !== undefined ? ('failed' as const) : ('completed' as const);
}

function usageOf({ inputTokens, outputTokens }: NonNullable<TurnOutcome['usage']>) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** A user message in the form of this API, with its files as ids or URLs. */
export function contentOf({ content, attachments = [] }: Pick<StoredMessage, 'content' | 'attachments'>) {
  return [{ type: 'input_text', text: content }, ...attachments.map(filePart)];
}

function filePart({ attachmentId, mxcUri, eventId, filename, mimetype }: StoredAttachment) {
  const isImage = mimetype.startsWith('image/');
  if (attachmentId === undefined) {
    const url = mxcUri ?? eventId ?? '';
    return isImage
      ? { type: 'input_image', image_url: url, file_id: null, detail: 'auto' }
      : { type: 'input_file', file_url: url, filename };
  }
  return isImage
    ? { type: 'input_image', image_url: null, file_id: attachmentId, detail: 'auto' }
    : { type: 'input_file', file_id: attachmentId, filename };
}
