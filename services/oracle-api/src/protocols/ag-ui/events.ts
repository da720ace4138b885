import type { RunEvent } from '@mlango/schemas/oracle-events';
import { isObject } from '@mlango/service-kit/parse-json';
import { eventOf } from '../../http/runs.js';
import type { RunFrame } from '../../runs/log/store.js';
import type { StoredToolCall } from '../../store/sessions.js';
import { type ApprovalRequest, interruptOf } from './approvals.js';
import { runError } from './errors.js';

interface AgUiEvent {
  readonly type: string;
}

/** A run with the client's and the oracle's ids. */
export interface StreamedRun {
  readonly threadId: string;
  readonly sessionId: string;
  readonly clientRunId: string;
  readonly runId: string;
  /** The client's own state, returned unchanged. */
  readonly state: unknown;
  /** The client accepts the outcome `cancelled` (AG-UI 1.0 and later). */
  readonly acceptsCancelled: boolean;
  /** Names of the page's own tools. */
  readonly pageTools: readonly string[];
}

type Called = Extract<RunEvent, { event: 'tool_call' | 'action_call' }>['data'];

/**
 * The frames of a run as AG-UI events.
 * @param callsOf the calls of the answer, once the run has ended
 */
export async function* runEvents(
  run: StreamedRun,
  frames: AsyncIterable<readonly RunFrame[]>,
  callsOf: () => Promise<readonly StoredToolCall[]>,
): AsyncGenerator<readonly AgUiEvent[]> {
  const translation = new Translation(run);
  yield translation.begin();
  for await (const batch of frames) {
    for (const frame of batch) {
      const events = await translation.of(frame, callsOf);
      if (events.length > 0) yield events;
    }
  }
}

export function eventText(event: AgUiEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** The events of one run, and the state that they depend on. */
class Translation {
  readonly #run: StreamedRun;
  readonly #called = new Set<string>();
  readonly #approvals: ApprovalRequest[] = [];
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  #messages = 0;
  #hasFailed = false;

  constructor(run: StreamedRun) {
    this.#run = run;
  }

  begin(): AgUiEvent[] {
    const { state, runId, sessionId: session } = this.#run;
    const own = isObject(state) ? state : {};
    const snapshot = { ...own, oracle: { session, run: runId } };
    return [this.#named('RUN_STARTED'), { type: 'STATE_SNAPSHOT', snapshot } as AgUiEvent];
  }

  async of(frame: RunFrame, callsOf: () => Promise<readonly StoredToolCall[]>): Promise<AgUiEvent[]> {
    const { event, data } = eventOf(frame);
    switch (event) {
      case 'run':
        return [];
      case 'message':
        return this.#delta('text', data.content);
      case 'reasoning':
        return data.isComplete ? this.#close() : this.#delta('reasoning', data.reasoning);
      case 'tool_call':
        return this.#call(data.eventId, data);
      case 'action_call':
        return this.#call(data.toolCallId, data);
      case 'render_component': {
        const { componentName, args, status } = data;
        const custom = { type: 'CUSTOM', name: event, value: { componentName, args, status } };
        return [...this.#close(), custom];
      }
      case 'approval_request':
        this.#approvals.push(data);
        return [];
      case 'error':
        this.#hasFailed = true;
        return [...this.#close(), runError(data.detail, data.kind)];
      case 'done':
        return this.#hasFailed ? [] : [...this.#close(), ...this.#end(frame.id, data.status, await callsOf())];
    }
  }

  #end(frameId: number, status: string, calls: readonly StoredToolCall[]): AgUiEvent[] {
    const ofPage = calls.filter(({ id, name }) => this.#called.has(id) && this.#run.pageTools.includes(name));
    const results = ofPage
      .filter((call) => call.status !== 'handed')
      .map(({ id, output = 'null' }) => this.#result(id, output));
    return [...results, this.#ending(frameId, status)];
  }

  #ending(frameId: number, status: string): AgUiEvent {
    if (status === 'waiting') {
      const interrupts = this.#approvals.map((approval) => interruptOf(this.#run.runId, frameId, approval));
      return this.#finished({ type: 'interrupt', interrupts });
    }
    if (status === 'finished') return this.#finished({ type: 'success' });
    if (this.#run.acceptsCancelled) return this.#finished({ type: 'cancelled' });
    // Earlier versions lack this outcome and would take the partial answer for a whole one.
    return runError('The run was stopped.', 'cancelled');
  }

  #finished(outcome: object): AgUiEvent {
    return { ...this.#named('RUN_FINISHED'), outcome } as AgUiEvent;
  }

  #named(type: string) {
    return { type, threadId: this.#run.threadId, runId: this.#run.clientRunId };
  }

  #delta(kind: 'text' | 'reasoning', delta: string): AgUiEvent[] {
    if (delta === '') return [];
    const begun = this.#open?.kind === kind ? [] : [...this.#close(), ...this.#begin(kind)];
    const type = kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT';
    return [...begun, { type, messageId: this.#open?.id, delta } as AgUiEvent];
  }

  #begin(kind: 'text' | 'reasoning'): AgUiEvent[] {
    const messageId = this.#newId();
    this.#open = { kind, id: messageId };
    if (kind === 'text') return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' } as AgUiEvent];
    const message = { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' };
    return [{ type: 'REASONING_START', messageId } as AgUiEvent, message];
  }

  #close(): AgUiEvent[] {
    const { kind, id: messageId } = this.#open ?? {};
    this.#open = undefined;
    if (kind === undefined) return [];
    const types = kind === 'text' ? ['TEXT_MESSAGE_END'] : ['REASONING_MESSAGE_END', 'REASONING_END'];
    return types.map((type) => ({ type, messageId }) as AgUiEvent);
  }

  /** Results of page tools follow at the end, when it is known which calls the page has to make. */
  #call(toolCallId: string, { toolName: toolCallName, args, status, output }: Called): AgUiEvent[] {
    const isNew = !this.#called.has(toolCallId);
    this.#called.add(toolCallId);
    const called = isNew
      ? [
          { type: 'TOOL_CALL_START', toolCallId, toolCallName },
          { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
          { type: 'TOOL_CALL_END', toolCallId },
        ]
      : [];
    const hasResult = status !== 'isRunning' && !this.#run.pageTools.includes(toolCallName);
    return [...this.#close(), ...called, ...(hasResult ? [this.#result(toolCallId, output ?? 'null')] : [])];
  }

  #result(toolCallId: string, content: string): AgUiEvent {
    return { type: 'TOOL_CALL_RESULT', messageId: this.#newId(), toolCallId, content, role: 'tool' } as AgUiEvent;
  }

  #newId(): string {
    this.#messages++;
    return `${this.#run.clientRunId}-${this.#messages}`;
  }
}
