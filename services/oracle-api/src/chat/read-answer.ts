import type { ModelMessage, ModelToolCall } from '../models/language-model.js';
import { ModelError } from '../models/model-error.js';
import type { StoredToolCall } from '../store/conversation-store.js';
import { callTool } from './call-tool.js';
import { stopReason } from './stop-reason.js';
import type { Turn, TurnFailure, TurnOutcome, TurnPorts } from './turn.js';
import { untilAborted } from './until-aborted.js';

/** Characters after which a model is no longer listened to. */
const answerChars = 200_000;

/** How often the model may be asked again with what its tools gave back. */
const stepLimit = 8;

export type Answer = Omit<TurnOutcome, 'messageId'>;

/** What there is of an answer so far. */
interface Draft {
  content: string;
  reasoning: string;
  readonly toolCalls: StoredToolCall[];
}

/**
 * Streams the model's answer to those who follow the run, and calls the tools it asks for, until it ends, fails or is
 * stopped. Never rejects.
 */
export async function readAnswer(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<Answer> {
  const draft: Draft = { content: '', reasoning: '', toolCalls: [] };
  try {
    if (signal.aborted) return { content: '', ...howItEnded('', signal) };
    const messages = [...(await readHistory(turn))];
    for (let step = 0; step < stepLimit && !signal.aborted; step++) {
      const said = draft.content.length;
      const calls = await readStep(turn, ports, messages, draft, signal);
      if (calls.length === 0) break;
      messages.push({ role: 'assistant', content: draft.content.slice(said), toolCalls: calls });
      for (const call of calls) {
        if (signal.aborted) break;
        const called = await callTool(turn, ports, call, signal);
        draft.toolCalls.push(called);
        messages.push({ role: 'tool', toolCallId: call.id, content: called.output });
      }
    }
  } catch (cause) {
    if (!signal.aborted) return { ...partsOf(draft), status: 'failed', failure: modelFailure(cause) };
  }
  return { ...partsOf(draft), ...howItEnded(draft.content, signal) };
}

async function readHistory(turn: Turn): Promise<readonly ModelMessage[]> {
  try {
    return await turn.history();
  } catch (cause) {
    throw new ModelError('server', 'The conversation could not be read.', { retryable: true, cause });
  }
}

/** Asks the model once, and gives back the calls it made. */
async function readStep(
  turn: Turn,
  ports: TurnPorts,
  messages: readonly ModelMessage[],
  draft: Draft,
  signal: AbortSignal,
): Promise<ModelToolCall[]> {
  const { timezone, tools = [], sessionId, requestId } = turn;
  const request = {
    messages,
    oracleName: ports.oracleName,
    now: ports.now(),
    ...(timezone === undefined ? {} : { timezone }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, schema }) => ({ name, description, schema })) }),
  };
  const calls: ModelToolCall[] = [];
  const thought = draft.reasoning.length;
  const think = (reasoning: string, isComplete: boolean) =>
    ports.emit({
      event: 'reasoning',
      data: { sessionId, requestId, reasoning, isComplete, timestamp: ports.now().toISOString() },
    });
  for await (const part of untilAborted(ports.model.stream(request, signal), signal)) {
    if (part.type === 'tool_call') {
      // The model's own ids may repeat from step to step.
      calls.push({ ...part.call, id: ports.newId() });
      continue;
    }
    if (part.type === 'usage') continue;
    const kept = part.type === 'text' ? draft.content : draft.reasoning;
    // NUL is the one character that the database cannot keep.
    const delta = part.delta.replaceAll('\u0000', '').slice(0, answerChars - kept.length);
    if (delta === '') continue;
    if (part.type === 'reasoning') {
      draft.reasoning += delta;
      await think(delta, false);
      continue;
    }
    draft.content += delta;
    await ports.emit({ event: 'message', data: { content: delta, timestamp: ports.now().toISOString() } });
    if (draft.content.length >= answerChars) break;
  }
  if (draft.reasoning.length > thought) await think('', true);
  return calls;
}

function partsOf({ content, reasoning, toolCalls }: Draft): Pick<Answer, 'content' | 'reasoning' | 'toolCalls'> {
  return {
    content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function howItEnded(content: string, signal: AbortSignal): Pick<Answer, 'status' | 'failure'> {
  switch (stopReason(signal)) {
    case 'aborted':
      return { status: 'aborted' };
    case 'superseded':
    case 'lost':
      return { status: 'interrupted' };
    case 'shutdown':
      return { status: 'interrupted', failure: { ...serviceStops } };
    case 'timeout':
      return { status: 'failed', failure: { ...tookTooLong } };
    case undefined:
      return content === '' ? { status: 'failed', failure: { ...nothingSaid } } : { status: 'finished' };
  }
}

function modelFailure(cause: unknown): TurnFailure {
  if (cause instanceof ModelError) {
    return { kind: cause.kind, source: 'model', detail: cause.detail, retryable: cause.retryable, cause };
  }
  return { kind: 'unknown', source: 'model', detail: 'The model could not answer.', retryable: true, cause };
}

const serviceStops: TurnFailure = {
  kind: 'interrupted',
  source: 'service',
  detail: 'The service is restarting. Please send the message again.',
  retryable: true,
};

const tookTooLong: TurnFailure = {
  kind: 'timeout',
  source: 'model',
  detail: 'The answer took too long.',
  retryable: true,
};

const nothingSaid: TurnFailure = {
  kind: 'server',
  source: 'model',
  detail: 'The model gave no answer.',
  retryable: true,
};
