import type { TurnOutcome } from '../../../agent/turn.js';
import type { TurnUsage } from '../../../agent/usage.js';
import { eventOf } from '../../../http/runs.js';
import type { LoggedEvent, RunFrame } from '../../../runs/log/store.js';
import { handedCalls } from '../answer-options.js';
import { runError } from '../errors.js';

/** End of a stream of this protocol. */
const doneText = '[DONE]';

export interface ChunkHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly hasUsage: boolean;
}

/** The frames of a run as chunks of a chat completion. */
export async function* runEvents(
  frames: AsyncIterable<readonly RunFrame[]>,
  finished: Promise<TurnOutcome>,
  { hasUsage, ...head }: ChunkHead,
): AsyncGenerator<readonly unknown[]> {
  const unknownYet = hasUsage ? { usage: null } : {};
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    ...unknownYet,
  });
  yield [chunk({ role: 'assistant', content: '' })];
  let hasFailed = false;
  for await (const batch of frames) {
    const events = batch.map(eventOf);
    hasFailed ||= events.some(({ event }) => event === 'error');
    const chunks = events.flatMap((event) => chunksOf(event, chunk));
    if (chunks.length > 0) yield chunks;
  }
  if (!hasFailed) {
    const outcome = await finished;
    const { usage, failure } = outcome;
    const calls = toolCallsOf(outcome).map((call, index) => ({ index, ...call }));
    if (calls.length > 0) yield [chunk({ tool_calls: calls })];
    yield [failure === undefined ? chunk({}, finishReasonOf(outcome)) : runError(failure)];
    if (hasUsage && usage) yield [{ ...head, object: 'chat.completion.chunk', choices: [], usage: chatUsage(usage) }];
  }
  yield [doneText];
}

export function eventText(chunk: unknown): string {
  return `data: ${chunk === doneText ? chunk : JSON.stringify(chunk)}\n\n`;
}

function chunksOf({ event, data }: LoggedEvent, chunk: (delta: object) => object): object[] {
  if (event === 'message') return [chunk({ content: data.content })];
  if (event === 'reasoning' && data.reasoning !== '') return [chunk({ reasoning_content: data.reasoning })];
  return event === 'error' ? [runError(data)] : [];
}

export function toolCallsOf({ toolCalls }: Pick<TurnOutcome, 'toolCalls'>) {
  return handedCalls(toolCalls).map(({ id, name, args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
}

/** The protocol has a closed set of reasons: only `length` marks an incomplete answer, so a stopped answer has it. */
export function finishReasonOf(outcome: TurnOutcome): 'stop' | 'length' | 'tool_calls' {
  if (outcome.status === 'aborted' || outcome.status === 'interrupted') return 'length';
  if (handedCalls(outcome.toolCalls).length > 0) return 'tool_calls';
  return outcome.finishReason ?? 'stop';
}

export function chatUsage({ inputTokens, outputTokens }: TurnUsage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
