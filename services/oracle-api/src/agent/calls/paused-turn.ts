import type { ModelMessage, ModelTool } from '../../models/language-model.js';
import type { DeclaredAction } from '../lifecycle/turn-request.js';

/** A turn that waits for its user, beside what the conversation and the records of its calls have of it. */
export interface PausedTurn {
  readonly modelId: string;
  /** What its model has said and been told in this turn: the calls that wait are without results. */
  readonly messages: readonly ModelMessage[];
  /** Characters of the answer so far: the model's, and what was said of the waiting. Absent in those of an earlier version. */
  readonly saidChars?: number;
  /** How often the model was asked. */
  readonly steps: number;
  /** How often the turn has waited, this time included. */
  readonly pauses: number;
  readonly tools?: readonly ModelTool[];
  readonly agActions?: readonly DeclaredAction[];
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  readonly timezone?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The span that it was until it waited, where turns are traced. */
  readonly traceparent?: string;
}
