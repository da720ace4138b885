import type { ModelErrorKind } from '../../models/model-error.js';
import type { AnswerStatus, StoredComponent, StoredToolCall } from '../../store/conversation-store.js';
import { noUsage, type TurnUsage } from '../after/turn-usage.js';

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
