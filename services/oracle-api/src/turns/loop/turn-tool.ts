import type { ModelTool } from '../../models/language-model.js';
import type { FrontendAnswer } from './frontend-calls.js';

export interface ToolCallContext {
  readonly toolCallId: string;
  /** The same at every try of this call, and of no other. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/** A tool as a turn uses it. An `action` is told of as `action_call`, a `tool` as `tool_call`. */
export interface TurnTool extends ModelTool {
  readonly kind: 'tool' | 'action';
  /** Name of the plugin it is of. */
  readonly plugin: string;
  /** Whether a call of these arguments changes nothing at all, so that it may be made again. */
  isHarmless(args: Readonly<Record<string, unknown>>): boolean;
  /** A rejection counts as a failure of the tool, which the model is told of in general words. */
  call(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<FrontendAnswer>;
}
