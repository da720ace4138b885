import type { ModelPart, ModelRequest, ModelUsage, NewToolCall } from '../../models/language-model.js';
import { PluginError, unknownMember } from './plugin-error.js';
import type { RuntimeContext, ToolAnswer } from './runtime-context.js';

/** The complete output of the model in one step. */
export interface ModelStep {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly NewToolCall[];
  /** Present if the model reports it. */
  readonly usage?: ModelUsage;
}

/** A tool call before its execution. */
export interface ToolCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Middlewares of a plugin around a turn. Middlewares of earlier plugins are further out. If a middleware throws, it is
 * skipped and the turn continues, unless its plugin is `failClosed`.
 */
export interface PluginMiddlewares {
  /** Runs before each step. Returns the changed request, or undefined to leave it unchanged. */
  beforeModel?(
    request: ModelRequest,
    context: RuntimeContext,
  ): ModelRequest | undefined | Promise<ModelRequest | undefined>;
  /** Runs around each step. A middleware that does not call the model answers instead of it. */
  wrapModel?(
    request: ModelRequest,
    callModel: (request: ModelRequest) => AsyncIterable<ModelPart>,
    context: RuntimeContext,
  ): AsyncIterable<ModelPart>;
  /** Runs after each completed step. */
  afterModel?(step: ModelStep, context: RuntimeContext): void | Promise<void>;
  /** Runs around each call of a plugin's tool. To refuse a call, return an answer that is not `ok`. */
  wrapTool?(
    call: ToolCall,
    run: (args?: ToolCall['args']) => Promise<ToolAnswer>,
    context: RuntimeContext & { readonly toolCallId: string },
  ): Promise<ToolAnswer>;
}

const hooks = Object.keys({
  beforeModel: true,
  wrapModel: true,
  afterModel: true,
  wrapTool: true,
} satisfies Record<keyof PluginMiddlewares, true>);

/** @throws PluginError for a member that is never called. */
export function checkMiddlewares(middlewares: PluginMiddlewares): void {
  const problem = unknownMember(middlewares, hooks);
  if (problem !== undefined) throw new PluginError(`of getMiddlewares ${problem}`);
}
