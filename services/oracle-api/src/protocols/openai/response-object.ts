import { z } from 'zod';
import type { TurnOutcome } from '../../agent/lifecycle/turn-outcome.js';
import { callItemId, messageItemId } from './item-places.js';
import { type AnswerPlace, responseIdOf } from './response-id.js';
import type { ResponseBody } from './response-request.js';
import { shownChoice } from './tools.js';

export const responseObject = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    model: z.string(),
    status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'cancelled', 'failed']),
    output: z.array(z.looseObject({ type: z.string(), id: z.string() })),
    conversation: z.object({ id: z.string() }).nullable().describe('the session that keeps it'),
  })
  .describe('An answer');

export interface ResponseHead extends AnswerPlace {
  readonly createdAt: number;
  readonly model: string;
  /** Whether a session keeps it. */
  readonly isKept: boolean;
  readonly previousId?: string | null | undefined;
  /** Fields of the request that the response repeats; not known of a stored response. */
  readonly settings?: Pick<ResponseBody, 'tool_choice' | 'parallel_tool_calls' | 'text'> | undefined;
}

/** What is known of an answer: undefined while it is being written. */
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
    conversation: head.isKept ? { id: head.sessionId } : null,
    store: head.isKept,
    usage: answer?.usage === undefined ? null : usageOf(answer.usage),
  };
}

/** The words of an answer, and then the calls that the client is to make. */
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

/** The calls that the client is to make. */
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

/** Why there is no more of an answer. Without a reason clients take an answer for a finished one. */
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
