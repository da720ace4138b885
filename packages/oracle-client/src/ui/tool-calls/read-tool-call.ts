import { type CallStatus, parsedOutput } from '../../api/chat/message.js';

/** A call as `uiComponents` receive it: of a tool by `toolName`, of an action of the page by `actionName`. */
export interface ToolCallProps {
  readonly toolName?: string;
  readonly actionName?: string;
  readonly status?: CallStatus;
  readonly args?: Readonly<Record<string, unknown>>;
  /** JSON text, as a rule. */
  readonly output?: string;
  readonly error?: string;
  /** The outcome is unknown: the tool may have acted. The status is `error`. */
  readonly isUncertain?: boolean;
}

/** A tool call for display, without markup. */
export interface ReadToolCall {
  readonly name: string;
  readonly outcome: 'running' | 'done' | 'failed' | 'unknown';
  readonly args: Readonly<Record<string, unknown>>;
  /** The result: parsed JSON, else a text. */
  readonly result: unknown;
  readonly error: string | undefined;
}

/** Pure. */
export function readToolCall(call: ToolCallProps): ReadToolCall {
  const { toolName, actionName = '', status, args = {}, output, error, isUncertain } = call;
  return {
    name: toolName ?? actionName,
    outcome: outcomeOf(status, error, isUncertain),
    args,
    result: output === undefined ? undefined : parsedOutput(output),
    error,
  };
}

/** A running call has no outcome yet; a call with an error has failed. Pure. */
export function outcomeOf(
  status: CallStatus | undefined,
  error: string | undefined,
  isUncertain = false,
): ReadToolCall['outcome'] {
  if (isUncertain) return 'unknown';
  if (status === 'isRunning') return 'running';
  return status === 'error' || error !== undefined ? 'failed' : 'done';
}
