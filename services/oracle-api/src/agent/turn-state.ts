import { ModelError, type ModelErrorKind } from '../models/model-error.js';
import { checkBeforeRetry } from '../runs/log/ended-run.js';
import type { TextMarks } from '../runs/log/frames.js';
import type { RunFrame, RunStart } from '../runs/log/store.js';
import type { Branch } from '../store/branches.js';
import type { AnswerStatus, StoredComponent, StoredMessage, StoredToolCall } from '../store/sessions.js';
import type { SuspendedRunState, TurnRequest } from './turn-request.js';
import { noUsage, type TurnUsage } from './usage.js';

/** A turn that has waited for its user, as it was then. */
export interface ResumedTurn {
  readonly state: SuspendedRunState;
  /** What had been said and done. */
  readonly answer: StoredMessage | undefined;
  /** Where its log stands; undefined where that is gone. */
  readonly marks: TextMarks | undefined;
}

/** A turn of this process that has not ended: what it answers, how far it is, how to stop it, and when it is over. */
export class Turn {
  readonly request: TurnRequest;
  readonly run: RunStart;
  /** The Matrix room that the session was created for, known once the turn has its place. */
  roomId: string | undefined;
  /** The branch that it is on, known with its place too; undefined on the trunk. */
  branch: Branch | undefined;
  readonly draft: Draft;
  /** Present when the turn goes on that has waited for its user. */
  readonly resumed: ResumedTurn | undefined;
  /** False when the log of the run could not be begun: the turn then goes on without one. */
  hasLog = true;
  /** Its span, where turns are traced. */
  traceparent: string | undefined;
  /** What the log began with. */
  begun: readonly RunFrame[] = [];
  /** Resolves when the turn is over and everything of it is kept. */
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

  /** From now on the turn has so much time. */
  limit(timeoutMs: number): void {
    this.#timer = setTimeout(() => this.stop('timeout'), timeoutMs);
  }

  /** The one way to end a turn before its model does; the first reason stands. */
  stop(reason: StopReason): void {
    stop(this.#controller, reason);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#resolve();
  }
}

/** What there is of an answer so far. */
export interface Draft {
  content: string;
  reasoning: string;
  readonly toolCalls: StoredToolCall[];
  /** What the user's page was told to show. */
  components: readonly StoredComponent[];
  /** Tools that were called: what they did is done, so from the first on nobody is told to send the message again. */
  acted: number;
  usage: TurnUsage;
  /** The model stopped because its answer was as long as it may be. */
  isCut: boolean;
  /** Id of the model that wrote the last step; absent until one was asked. */
  answeredBy?: string;
}

export interface TurnFailure {
  readonly kind: ModelErrorKind;
  /** Where it failed: `model`, `store` or `service`. */
  readonly source: string;
  /** HTTP status of a model's provider, where it gave one. */
  readonly status?: number | undefined;
  /** For programs that read the error. */
  readonly code?: string | undefined;
  /** For the caller. */
  readonly detail: string;
  readonly retryable: boolean;
  /** For the log. */
  readonly cause?: unknown;
}

/** The answer, or what there was of it. */
export interface AnswerParts {
  readonly content: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly StoredToolCall[];
  readonly components?: readonly StoredComponent[];
  /** `length`: it was as long as it may be, and may end in the midst. */
  readonly finishReason?: 'length';
}

export interface TurnOutcome extends AnswerParts {
  /** `waiting` for its user, who has to allow a call: it goes on then. */
  readonly status: AnswerStatus;
  /** Present when the answer is kept. */
  readonly messageId?: string;
  readonly failure?: TurnFailure;
  /** What the model took, all steps together; absent when it was not asked. */
  readonly usage?: TurnUsage;
  /** Id of the model that wrote the last step: another than that of the request where that one failed. */
  readonly answeredBy?: string;
}

/** How a turn ended. */
export type Ending = Pick<TurnOutcome, 'status' | 'failure'>;

/** What there is of an answer, without what it lacks. */
export function answerParts({ content, reasoning, toolCalls, components, isCut }: Draft): AnswerParts {
  return {
    content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(components.length === 0 ? {} : { components }),
    ...(isCut ? { finishReason: 'length' as const } : {}),
  };
}

/** A turn that has ended, before its answer is kept. */
export function outcomeOf(draft: Draft, ending: Ending): TurnOutcome {
  const { usage, answeredBy } = draft;
  const counted = usage === noUsage ? {} : { usage };
  return { ...ending, ...answerParts(draft), ...counted, ...(answeredBy === undefined ? {} : { answeredBy }) };
}

/** One that failed is kept without a word of it too: it says that it failed. */
export function isEmpty({ content, toolCalls, components, failure }: TurnOutcome): boolean {
  return content === '' && toolCalls === undefined && components === undefined && failure === undefined;
}

/** How a turn ended whose model has come to its end, or that was stopped. One whose tools did something needs no words. */
export function turnEnding(
  { content, acted, isCut }: Pick<Draft, 'content' | 'acted' | 'isCut'>,
  signal: AbortSignal,
): Ending {
  switch (stopReason(signal)) {
    case 'aborted':
      return { status: 'aborted' };
    case 'superseded':
    case 'lost':
      return { status: 'interrupted' };
    case 'shutdown':
      return { status: 'interrupted', failure: serviceStops };
    case 'timeout':
      return { status: 'failed', failure: tookTooLong };
    case undefined:
      if (content !== '' || acted > 0) return { status: 'finished' };
      return { status: 'failed', failure: isCut ? onlyThought : nothingSaid };
  }
}

/** How a turn ended that could not go on. */
export function turnFailed(cause: unknown): Ending {
  if (!(cause instanceof ModelError)) {
    return { status: 'failed', failure: { ...couldNotAnswer, cause } };
  }
  const { kind, detail, retryable, status, code } = cause;
  return { status: 'failed', failure: { kind, source: 'model', detail, retryable, status, code, cause } };
}

/** The same for a turn whose tools were called: whoever sent the message again would have them called again. */
export function notRetryable(ending: Ending): Ending {
  const { failure } = ending;
  if (failure === undefined) return ending;
  const detail = `${failure.detail.replace(' Please send the message again.', '')} ${checkBeforeRetry}`;
  return { ...ending, failure: { ...failure, detail, retryable: false } };
}

/** What could not be written at the end of a turn. */
export const answerNotStored = failure(
  'server',
  'store',
  'The answer could not be saved. It will be missing from the conversation.',
);

const couldNotAnswer = failure('unknown', 'model', 'The model could not answer.');

const serviceStops = failure('interrupted', 'service', 'The service is restarting. Please send the message again.');

const tookTooLong = failure('timeout', 'model', 'The answer took too long.');

const nothingSaid = failure('server', 'model', 'The model gave no answer.');

/** Those that think before they answer count that as well. */
const onlyThought: TurnFailure = {
  kind: 'unknown',
  source: 'model',
  detail: 'The model reached its length limit before it said anything. Please tell its operator.',
  retryable: false,
};

/** One that may go well when the message is sent again. */
function failure(kind: TurnFailure['kind'], source: string, detail: string): TurnFailure {
  return { kind, source, detail, retryable: true };
}

/**
 * Why a turn ends before its model does: the user aborted it, a newer message took its place, the process shuts down,
 * it took too long, or another process has taken its run over.
 */
export type StopReason = 'aborted' | 'superseded' | 'shutdown' | 'timeout' | 'lost';

class TurnStopped extends Error {
  override readonly name = 'TurnStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`turn stopped: ${reason}`);
    this.reason = reason;
  }
}

/** Stops a turn; the first reason stands. */
function stop(controller: AbortController, reason: StopReason): void {
  controller.abort(new TurnStopped(reason));
}

/** Why the turn of this signal was stopped; undefined while it was not. */
export function stopReason(signal: AbortSignal): StopReason | undefined {
  return signal.reason instanceof TurnStopped ? signal.reason.reason : undefined;
}

/** What became of a message: a turn that answers it, or why there is none. */
export type SendResult =
  | {
      readonly kind: 'started';
      readonly runId: string;
      readonly status: 'running' | 'queued';
      readonly finished: Promise<TurnOutcome>;
    }
  /** `queue_full`: too many messages wait already, in the session or of the user. */
  | { readonly kind: 'no_session' | 'request_id_used' | 'busy' | 'queue_full' };
