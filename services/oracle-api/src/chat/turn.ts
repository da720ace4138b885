import type { LanguageModel, ModelMessage } from '../models/language-model.js';
import type { ModelErrorKind } from '../models/model-error.js';
import type { StoredToolCall } from '../store/conversation-store.js';
import type { TurnEvent } from './turn-event.js';
import type { TurnTool } from './turn-tool.js';

/** One message of a user, to be answered. */
export interface Turn {
  readonly runId: string;
  readonly sessionId: string;
  /** Becomes the id of the answer. */
  readonly requestId: string;
  /** The conversation up to and with the message to answer, oldest first. */
  readonly history: () => Promise<readonly ModelMessage[]>;
  readonly timezone?: string;
  /** What the model may call. */
  readonly tools?: readonly TurnTool[];
}

/** What a turn uses. */
export interface TurnPorts {
  readonly model: LanguageModel;
  readonly oracleName: string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Tells those who follow the run. Never rejects. */
  readonly emit: (event: TurnEvent) => Promise<void>;
  /** Keeps the answer under the turn's request id; false when the session is gone. Rejects when it could not be kept. */
  readonly saveAnswer: (answer: AnswerParts, createdAt: Date) => Promise<boolean>;
}

export interface TurnFailure {
  readonly kind: ModelErrorKind;
  /** Where it failed: `model`, `store` or `service`. */
  readonly source: string;
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
}

export interface TurnOutcome extends AnswerParts {
  readonly status: 'finished' | 'aborted' | 'interrupted' | 'failed';
  /** Present when the answer is kept. */
  readonly messageId?: string;
  readonly failure?: TurnFailure;
}
