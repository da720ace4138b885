import { ModelError, type ModelErrorKind } from '../models/model-error.js';
import { checkBeforeRetry } from '../runs/log/ended-run.js';
import type { TextEnds } from '../runs/log/frames.js';
import type { RunFrame, RunStart } from '../runs/log/store.js';
import type { ActiveRun, StopReason } from '../runs/stop.js';
import type { Branch } from '../store/branches.js';
import type { AnswerStatus, StoredComponent, StoredMessage, StoredToolCall } from '../store/sessions.js';
import type { SuspendedRunState, TurnRequest } from './turn-request.js';
import { noUsage, type TurnUsage } from './usage.js';

/** A resumed turn, as it was at its suspension. */
export interface ResumedTurn {
  readonly state: SuspendedRunState;
  /** The answer so far. */
  readonly answer: StoredMessage | undefined;
  /** Text ends of the frames of the log; undefined when the log is missing. */
  readonly textEnds: TextEnds | undefined;
}

/** A turn of this process that has not ended: its request, its draft, its stop signal and its end. */
export class Turn implements ActiveRun {
  readonly request: TurnRequest;
  readonly run: RunStart;
  /** The Matrix room that the session was created for, known once the run is claimed. */
  roomId: string | undefined;
  /** The branch of the turn, known once the run is claimed; undefined on the trunk. */
  branch: Branch | undefined;
  readonly draft: Draft;
  /** Present for a resumed turn. */
  readonly resumed: ResumedTurn | undefined;
  /** False when the log of the run could not begin: the turn then continues without a log. */
  hasLog = true;
  /** Trace context, with tracing enabled. */
  traceparent: string | undefined;
  /** The first frames of the log. */
  begun: readonly RunFrame[] = [];
  /** Resolves when the turn has ended and everything is stored. */
  readonly released: Promise<void>;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #resolve: () => void = () => undefined;

  constructor(request: TurnRequest, runId: string, resumed?: ResumedTurn) {
    const { ownerDid, sessionId, requestId } = request;
    this.request = request;
    this.run = { runId, ownerDid, sessionId, requestId };
    this.resumed = resumed;
    const { content = '', reasoning = '', toolCalls = [], components = [] } = resumed?.answer ?? {};
    const acted = toolCalls.filter(({ status }) => status !== 'waiting').length;
    const shown = { toolCalls: [...toolCalls], components };
    this.draft = { content, reasoning, ...shown, acted, usage: noUsage, isCut: false };
    this.released = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Aborts with the reason for which the turn was stopped (`stopReason`). */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the timeout of the turn. */
  limit(timeoutMs: number): void {
    this.#timer = setTimeout(() => this.stop('timeout'), timeoutMs);
  }

  /** Stops the turn early. The first reason applies. */
  stop(reason: StopReason): void {
    stop(this.#controller, reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#resolve();
  }
}

/** The answer so far. */
export interface Draft {
  content: string;
  reasoning: string;
  readonly toolCalls: StoredToolCall[];
  /** Components rendered on the user's page. */
  components: readonly StoredComponent[];
  /** Number of tool calls. Once it is above 0, errors do not suggest a retry. */
  acted: number;
  usage: TurnUsage;
  /** The answer reached the length limit of the model. */
  isCut: boolean;
  /** Id of the model of the last step; absent before the first request. */
  answeredBy?: string;
}

export interface TurnFailure {
  readonly kind: ModelErrorKind;
  /** Source of the failure: `model`, `store` or `service`. */
  readonly source: string;
  /** HTTP status of the model provider, if it sent one. */
  readonly status?: number | undefined;
  /** For programs that read the error. */
  readonly code?: string | undefined;
  /** For the caller. */
  readonly detail: string;
  readonly retryable: boolean;
  /** For the log. */
  readonly cause?: unknown;
}

/** The answer, or the part of it that exists. */
export interface AnswerParts {
  readonly content: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly StoredToolCall[];
  readonly components?: readonly StoredComponent[];
  /** `length`: the answer reached the length limit and may be incomplete. */
  readonly finishReason?: 'length';
}

export interface TurnOutcome extends AnswerParts {
  /** `waiting`: suspended until the user approves a call. */
  readonly status: AnswerStatus;
  /** Present when the answer is stored. */
  readonly messageId?: string;
  readonly failure?: TurnFailure;
  /** Model usage of all steps; absent without a model request. */
  readonly usage?: TurnUsage;
  /** Id of the model of the last step: a fallback when the requested model failed. */
  readonly answeredBy?: string;
}

/** How a turn ended. */
export type Ending = Pick<TurnOutcome, 'status' | 'failure'>;

/** The parts of the answer that are present. */
export function answerParts({ content, reasoning, toolCalls, components, isCut }: Draft): AnswerParts {
  return {
    content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(components.length === 0 ? {} : { components }),
    ...(isCut ? { finishReason: 'length' as const } : {}),
  };
}

/** Outcome of an ended turn, before its answer is stored. */
export function outcomeOf(draft: Draft, ending: Ending): TurnOutcome {
  const { usage, answeredBy } = draft;
  const counted = usage === noUsage ? {} : { usage };
  return { ...ending, ...answerParts(draft), ...counted, ...(answeredBy === undefined ? {} : { answeredBy }) };
}

/** The outcome with the answer that is stored for the turn. */
export function asStored(outcome: TurnOutcome, stored: StoredMessage): TurnOutcome {
  const { messageId, content, reasoning, toolCalls, components, finishReason, status = outcome.status } = stored;
  if (status === 'waiting') return outcome;
  if (content === outcome.content && status === outcome.status) return { ...outcome, messageId };
  const { usage, answeredBy } = outcome;
  return {
    messageId,
    content,
    status,
    ...(reasoning && { reasoning }),
    ...(toolCalls && { toolCalls }),
    ...(components && { components }),
    ...(finishReason && { finishReason }),
    ...(usage && { usage }),
    ...(answeredBy && { answeredBy }),
  };
}

/** A failed turn is not empty, even without text: its answer holds the failure. */
export function isEmpty({ content, toolCalls, components, failure }: TurnOutcome): boolean {
  return content === '' && toolCalls === undefined && components === undefined && failure === undefined;
}

/** Ending of a turn that its model finished, or that was stopped. A turn with tool calls needs no text. */
export function turnEnding(
  { content, acted, isCut }: Pick<Draft, 'content' | 'acted' | 'isCut'>,
  signal: AbortSignal,
): Ending {
  switch (stopReason(signal)) {
    case 'aborted':
      return { status: 'aborted' };
    case 'superseded':
    case 'taken_over':
      return { status: 'interrupted' };
    case 'shutdown':
      return { status: 'interrupted', failure: serviceStops };
    case 'timeout':
      return { status: 'failed', failure: timedOut };
    case undefined:
      if (content !== '' || acted > 0) return { status: 'finished' };
      return { status: 'failed', failure: isCut ? onlyReasoning : emptyAnswer };
  }
}

/** Ending of a failed turn. */
export function turnFailed(cause: unknown): Ending {
  if (!(cause instanceof ModelError)) {
    return { status: 'failed', failure: { ...couldNotAnswer, cause } };
  }
  const { kind, detail, retryable, status, code } = cause;
  return { status: 'failed', failure: { kind, source: 'model', detail, retryable, status, code, cause } };
}

/** A failed turn with tool calls is not retryable: a retry would repeat the calls. */
export function notRetryable(ending: Ending): Ending {
  const { failure } = ending;
  if (failure === undefined) return ending;
  const detail = `${failure.detail.replace(' Please send the message again.', '')} ${checkBeforeRetry}`;
  return { ...ending, failure: { ...failure, detail, retryable: false } };
}

/** The failure of a turn when its answer could not be stored. */
export const answerNotStored = failure(
  'server',
  'store',
  'The answer could not be saved. It will be missing from the conversation.',
);

const couldNotAnswer = failure('unknown', 'model', 'The model could not answer.');

const serviceStops = failure('interrupted', 'service', 'The service is restarting. Please send the message again.');

const timedOut = failure('timeout', 'model', 'The answer took too long.');

const emptyAnswer = failure('server', 'model', 'The model gave no answer.');

/** Reasoning tokens count against the length limit too. */
const onlyReasoning: TurnFailure = {
  kind: 'unknown',
  source: 'model',
  detail: 'The model reached its length limit before it produced any text. Please contact the operator.',
  retryable: false,
};

/** A retryable failure. */
function failure(kind: TurnFailure['kind'], source: string, detail: string): TurnFailure {
  return { kind, source, detail, retryable: true };
}

class TurnStopped extends Error {
  override readonly name = 'TurnStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`turn stopped: ${reason}`);
    this.reason = reason;
  }
}

/** Stops a turn; the first reason applies. */
function stop(controller: AbortController, reason: StopReason): void {
  controller.abort(new TurnStopped(reason));
}

/** Why the turn of this signal was stopped; undefined while it was not. */
export function stopReason(signal: AbortSignal): StopReason | undefined {
  return signal.reason instanceof TurnStopped ? signal.reason.reason : undefined;
}

/** The steps that finish a turn: one of this process, or one of a process that died. */
export interface FinishingSteps<Stored, Usage, Ended> {
  /** Stores the answer. May end the run in the same statement if there is no usage to report in between. */
  readonly storeAnswer: () => Promise<Stored>;
  /** Before the run is released: after a crash the recovering process reports the same part, which meters count once. */
  readonly reportUsage: (stored: Stored) => Promise<Usage>;
  /** Ends or suspends the run; the step stores unreported usage too. */
  readonly endRun: (stored: Stored, usage: Usage) => Promise<Ended>;
  /** Publishes the last events, and closes the log. */
  readonly publish: (ended: Ended) => Promise<void>;
}

/** The order of finishing. A crash between two steps loses nothing: recovery completes the missing steps. */
export async function finishTurn<Stored, Usage, Ended>(
  steps: FinishingSteps<Stored, Usage, Ended>,
): Promise<{ readonly ended: Ended; readonly usage: Usage }> {
  const stored = await steps.storeAnswer();
  const usage = await steps.reportUsage(stored);
  const ended = await steps.endRun(stored, usage);
  await steps.publish(ended);
  return { ended, usage };
}

/** Result of a send: the turn that answers it, or why there is none. */
export type SendResult =
  | {
      readonly kind: 'started';
      readonly runId: string;
      readonly status: 'running' | 'queued';
      readonly finished: Promise<TurnOutcome>;
    }
  /** `queue_full`: too many messages wait already, in the session or of the user. */
  | { readonly kind: 'no_session' | 'request_id_used' | 'busy' | 'queue_full' };
