import type { CallStatus, IMessageComponent, PlacedComponent } from '../chat/message.js';
import { isRecord } from '../requests/values.js';

/** Why a run failed, as reported by the oracle. */
export interface RunFailure {
  readonly detail: string;
  readonly kind: string;
  /** The same message may be answered if it is sent again. */
  readonly isRetryable: boolean;
}

/** Tokens that the model took for a run. */
export interface IRunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The model reported no usage; the oracle estimated it. */
  readonly isEstimated: boolean;
  /** Cost for the user, if any. */
  readonly credits?: number;
}

/** Something that happens to an answer. */
export type RunEvent =
  | { readonly kind: 'run'; readonly runId?: string; readonly requestId?: string; readonly partialLength?: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly isComplete: boolean }
  | ({ readonly kind: 'component' } & PlacedComponent)
  | { readonly kind: 'failure'; readonly failure: RunFailure; readonly component: IMessageComponent }
  | {
      readonly kind: 'done';
      readonly status: string;
      readonly partialText?: string;
      readonly isCut?: boolean;
      /** Id of the model that answered. */
      readonly model?: string;
      readonly usage?: IRunUsage;
    }
  /** The events so far are void: all of them are sent again. */
  | { readonly kind: 'restart' };

type Data = Readonly<Record<string, unknown>>;

const readers: Readonly<Record<string, (data: Data) => RunEvent | undefined>> = {
  run: ({ runId, requestId, resumed, partialLength }) => ({
    kind: 'run',
    ...(isText(runId) ? { runId } : {}),
    ...(isText(requestId) ? { requestId } : {}),
    ...(resumed === true && typeof partialLength === 'number' ? { partialLength } : {}),
  }),
  message: ({ content }) => (isText(content) ? { kind: 'text', text: content } : undefined),
  reasoning: ({ reasoning, isComplete }) =>
    isText(reasoning) ? { kind: 'reasoning', text: reasoning, isComplete: isComplete === true } : undefined,
  tool_call: (data) => shown('tool_call', data, data['eventId'], data['toolName']),
  action_call: (data) => shown('action_call', data, data['toolCallId'], data['toolName']),
  // The answer contains the text as well; a page with this component can show the request.
  approval_request: (data) => shown('render_component', { ...data, args: data }, data['toolCallId'], 'ApprovalRequest'),
  render_component: (data) =>
    // Without an id, a component is shown once for each answer.
    shown('render_component', data, data['eventId'] ?? data['componentName'], data['componentName']),
  error: (data) => {
    const { detail, error, kind, retryable, requestId, sessionId } = data;
    const text = [detail, error].find(isText) ?? 'The oracle could not answer';
    const component = { kind: 'error', name: 'Error', id: `${textOr('', requestId)}~error`, args: data } as const;
    return {
      kind: 'failure',
      failure: { detail: text, kind: textOr('unknown', kind), isRetryable: retryable === true },
      component: { ...component, sessionId: textOr('', sessionId), status: 'error', error: text },
    };
  },
  done: ({ status, partialText, finishReason, model, usage }) => ({
    kind: 'done',
    status: textOr('finished', status),
    ...(isRecord(usage) ? usageOf(usage) : {}),
    ...(finishReason === 'length' ? { isCut: true } : {}),
    ...(isText(model) ? { model } : {}),
    ...(isText(partialText) ? { partialText } : {}),
  }),
};

/** Parses a frame or socket event; undefined for an unknown or invalid one. */
export function runEventOf(name: string, data: unknown): RunEvent | undefined {
  if (!Object.hasOwn(readers, name) || !isRecord(data)) return undefined;
  return readers[name]?.(data);
}

/** The same of the JSON text of a frame. */
export function parseRunEvent(name: string, text: string): RunEvent | undefined {
  try {
    return runEventOf(name, JSON.parse(text));
  } catch {
    return undefined;
  }
}

function shown(
  kind: Exclude<IMessageComponent['kind'], 'error'>,
  { sessionId, args, status, output, error, at }: Data,
  id: unknown,
  name: unknown,
): RunEvent | undefined {
  if (!isText(id) || !isText(name)) return undefined;
  // A call that failed is over, with an error.
  const known = isText(error) || status === 'unknown' ? 'error' : statusOf(status);
  const component: IMessageComponent = {
    kind,
    name,
    id,
    sessionId: textOr('', sessionId),
    args: isRecord(args) ? args : {},
    ...(known === undefined ? {} : { status: known }),
    ...(isText(output) ? { output } : {}),
    ...(isText(error) ? { error } : {}),
    ...(status === 'unknown' ? { isUncertain: true } : {}),
  };
  return { kind: 'component', component, at: typeof at === 'number' ? at : undefined };
}

/** Parses a stored component; empty for an invalid one. */
export function readComponent(data: Data, sessionId: string): PlacedComponent[] {
  const read = runEventOf('render_component', { ...data, sessionId });
  return read?.kind === 'component' ? [{ component: read.component, at: read.at }] : [];
}

function usageOf({ inputTokens, outputTokens, isEstimated, credits }: Data): { usage?: IRunUsage } {
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return {};
  const cost = typeof credits === 'number' ? { credits } : {};
  return { usage: { inputTokens, outputTokens, isEstimated: isEstimated === true, ...cost } };
}

function statusOf(status: unknown): CallStatus | undefined {
  return status === 'isRunning' || status === 'done' || status === 'error' ? status : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function textOr(fallback: string, value: unknown): string {
  return isText(value) ? value : fallback;
}
