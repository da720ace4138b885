import type { ModelTool } from '../../models/language-model.js';
import type { FrontendAnswer } from './frontend-calls.js';

export interface ToolCallContext {
  readonly toolCallId: string;
  readonly signal: AbortSignal;
}

/** A tool as a turn uses it. An `action` is told of as `action_call`, a `tool` as `tool_call`. */
export interface TurnTool extends ModelTool {
  readonly kind: 'tool' | 'action';
  /** A rejection counts as a failure of the tool, which the model is told of in general words. */
  call(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<FrontendAnswer>;
}
