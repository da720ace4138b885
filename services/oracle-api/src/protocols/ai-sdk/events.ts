import type { RunEvent } from '@mlango/schemas/oracle-events';
import type { UIMessageChunk } from 'ai';
import { eventOf } from '../../http/runs.js';
import type { LoggedEvent, RunFrame } from '../../runs/log/store.js';
import { approvalIdOf } from './approvals.js';
import { runError } from './errors.js';
import type { ClientAnswer } from './request.js';

/** End of a stream of this protocol. */
const doneText = '[DONE]';

/** A client that reads a run. */
interface Reader {
  /** Parts of the answer that the client has, which are not repeated. */
  readonly held?: ClientAnswer | undefined;
  /** Version 5 of the SDK, which fails at the chunk that requests an approval. */
  readonly isVersion5?: boolean;
}

/** The frames of a run as chunks of a UI message stream. */
export async function* runEvents(
  frames: AsyncIterable<readonly RunFrame[]>,
  reader: Reader,
): AsyncGenerator<readonly (UIMessageChunk | typeof doneText)[]> {
  const translation = new Translation(reader);
  for await (const batch of frames) {
    const chunks = batch.flatMap((frame) => translation.of(eventOf(frame)));
    if (chunks.length > 0) yield chunks;
  }
  yield [doneText];
}

export function eventText(chunk: UIMessageChunk | typeof doneText): string {
  return `data: ${chunk === doneText ? chunk : JSON.stringify(chunk)}\n\n`;
}

/** The chunks of one run, and the state that they depend on. */
class Translation {
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  #parts = 0;
  #isBegun = false;
  #runId = '';
  readonly #called: Set<string>;
  readonly #held: ClientAnswer | undefined;
  readonly #left: { text: number; reasoning: number };
  readonly #isVersion5: boolean;

  constructor({ held, isVersion5 = false }: Reader) {
    this.#held = held;
    this.#isVersion5 = isVersion5;
    this.#called = new Set(held?.called);
    this.#left = { text: held?.textChars ?? 0, reasoning: held?.reasoningChars ?? 0 };
  }

  of({ event, data }: LoggedEvent): UIMessageChunk[] {
    switch (event) {
      case 'run': {
        if (this.#isBegun) return [];
        this.#isBegun = true;
        this.#runId = data.runId;
        return [{ type: 'start', messageId: data.requestId, messageMetadata: { runId: data.runId } }];
      }
      case 'message':
        return this.#delta('text', this.#unheld('text', data.content));
      case 'reasoning':
        return data.isComplete ? this.#close() : this.#delta('reasoning', this.#unheld('reasoning', data.reasoning));
      case 'tool_call':
        return [...this.#close(), ...this.#call(data.eventId, data)];
      case 'action_call':
        return [...this.#close(), ...this.#call(data.toolCallId, data)];
      case 'approval_request':
        return [...this.#close(), ...this.#requestApproval(data)];
      case 'render_component':
        return [...this.#close(), componentChunk(data)];
      case 'error':
        return [...this.#close(), runError(data.detail)];
      case 'done': {
        const isStopped = data.status === 'aborted' || data.status === 'interrupted';
        return [...this.#close(), isStopped ? { type: 'abort', reason: data.status } : { type: 'finish' }];
      }
    }
  }

  /** The part of a text that the client lacks. */
  #unheld(kind: 'text' | 'reasoning', text: string): string {
    const held = Math.min(text.length, this.#left[kind]);
    this.#left[kind] -= held;
    return text.slice(held);
  }

  /** A call that needs an approval. */
  #requestApproval(data: Extract<RunEvent, { event: 'approval_request' }>['data']): UIMessageChunk[] {
    const { toolCallId, toolName, args } = data;
    if (this.#held?.called.has(toolCallId) === true) return [];
    const called = this.#call(toolCallId, { ...data, toolName, args, status: 'isRunning' });
    const approvalId = approvalIdOf(this.#runId, toolCallId);
    const shown: UIMessageChunk = { type: 'data-approval', id: toolCallId, data };
    if (this.#isVersion5) return [...called, shown];
    return [...called, { type: 'tool-approval-request', approvalId, toolCallId }, shown];
  }

  #delta(kind: 'text' | 'reasoning', delta: string): UIMessageChunk[] {
    if (delta === '') return [];
    if (this.#open?.kind === kind) return [{ type: `${kind}-delta`, id: this.#open.id, delta }];
    const id = `${kind}-${this.#parts++}`;
    const closed = this.#close();
    this.#open = { kind, id };
    return [...closed, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta }];
  }

  #close(): UIMessageChunk[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [{ type: `${open.kind}-end`, id: open.id }];
  }

  /** Emits the input of a call once, then its result; both together for a call that was made between two connections. */
  #call(
    toolCallId: string,
    {
      toolName,
      args,
      status,
      output,
      error,
    }: Extract<RunEvent, { event: 'action_call' }>['data'] | Extract<RunEvent, { event: 'tool_call' }>['data'],
  ): UIMessageChunk[] {
    if (this.#held?.ended.has(toolCallId) === true) return [];
    const own = { toolCallId, dynamic: true, providerExecuted: true };
    const isNew = !this.#called.has(toolCallId);
    this.#called.add(toolCallId);
    const called: UIMessageChunk[] = isNew ? [{ type: 'tool-input-available', ...own, toolName, input: args }] : [];
    if (status === 'isRunning') return called;
    if (error !== undefined) return [...called, { type: 'tool-output-error', ...own, errorText: error }];
    const result: unknown = output === undefined ? null : JSON.parse(output);
    return [...called, { type: 'tool-output-available', ...own, output: result }];
  }
}

/** A later chunk with the same id replaces the component. */
function componentChunk(data: Extract<LoggedEvent, { event: 'render_component' }>['data']): UIMessageChunk {
  const { componentName, args, status, eventId } = data;
  return {
    type: 'data-component',
    ...(eventId === undefined ? {} : { id: eventId }),
    data: { componentName, args, status },
  };
}
