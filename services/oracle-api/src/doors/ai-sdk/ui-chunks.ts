import type { RunEvent } from '@mlango/schemas/oracle-events';
import type { UIMessageChunk } from 'ai';
import type { RunFrame } from '../../runs/run-store.js';

/** The frames of a run as chunks of a UI message stream, in JSON. */
export class ChunksOfRun {
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  #parts = 0;
  #isBegun = false;
  readonly #called = new Set<string>();

  of({ event, data }: RunFrame): string[] {
    return this.#chunks({ event, data: JSON.parse(data) } as RunEvent).map((chunk) => JSON.stringify(chunk));
  }

  #chunks({ event, data }: RunEvent): UIMessageChunk[] {
    switch (event) {
      case 'run': {
        if (this.#isBegun) return [];
        this.#isBegun = true;
        return [{ type: 'start', messageId: data.requestId, messageMetadata: { runId: data.runId } }];
      }
      case 'message':
        return this.#say('text', data.content);
      case 'reasoning':
        return data.isComplete ? this.#close() : this.#say('reasoning', data.reasoning);
      case 'tool_call':
        return [...this.#close(), ...this.#call(data.eventId, data)];
      case 'action_call':
        return [...this.#close(), ...this.#call(data.toolCallId, data)];
      case 'approval_request':
        return [...this.#close(), { type: 'data-approval', id: data.toolCallId, data }];
      case 'error':
        return [...this.#close(), { type: 'error', errorText: data.detail }];
      case 'done':
        return [...this.#close(), { type: 'finish' }];
    }
  }

  #say(kind: 'text' | 'reasoning', delta: string): UIMessageChunk[] {
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

  /** A call is told of once, and then what came of it; of one that was made when nobody read along both come at once. */
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
