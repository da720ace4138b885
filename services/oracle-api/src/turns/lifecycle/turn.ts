import type { LanguageModel, ModelMessage, ModelPreferences } from '../../models/language-model.js';
import type { ModelErrorKind } from '../../models/model-error.js';
import type { StoredToolCall } from '../../store/conversation-store.js';
import type { TurnUsage } from '../after/turn-usage.js';
import type { TurnTool } from '../loop/turn-tool.js';
import type { TurnEvent } from './turn-event.js';

/** One message of a user, to be answered. */
export interface Turn {
  readonly runId: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  /** Becomes the id of the answer. */
  readonly requestId: string;
  readonly timezone?: string;
  /** Gathers what the model is asked with; called once. Rejects when that cannot be read. */
  readonly prepare: () => Promise<PreparedTurn>;
}

/** What a model is asked with. */
export interface PreparedTurn {
  readonly model: LanguageModel;
  readonly instructions?: string;
  readonly preferences?: ModelPreferences;
  /** The conversation up to and with the message to answer, oldest first. */
  readonly messages: readonly ModelMessage[];
  /** What the model may call now; a call may open up more. */
  tools(): readonly TurnTool[];
  /** Called once, when the model is not asked any more. */
  close(): void;
}

/** What a turn uses. */
export interface TurnPorts {
  readonly oracleName: string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Tells those who follow the run. Gives nothing where nothing has to be waited for; never rejects. */
  readonly emit: (event: TurnEvent) => Promise<void> | undefined;
  /** Keeps the answer under the turn's request id; false when the session is gone. Rejects when it could not be kept. */
  readonly saveAnswer: (answer: AnswerParts, createdAt: Date) => Promise<boolean>;
}

export interface TurnFailure {
  readonly kind: ModelErrorKind;
  /** Where it failed: `model`, `store` or `service`. */
  readonly source: string;
  /** HTTP status of a model's provider, where it gave one. */
  readonly status?: number;
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
  /** What the model took, all steps together; absent when it was not asked. */
  readonly usage?: TurnUsage;
}
