import type { ModelPart, ModelRequest, ModelUsage, NewToolCall } from '../../models/language-model.js';
import { PluginError, unknownMember } from './plugin-error.js';
import type { RuntimeContext, ToolAnswer } from './runtime-context.js';

/** What a model said in one step, whole. */
export interface ModelStep {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly NewToolCall[];
  /** What it took, where the model says so. */
  readonly usage?: ModelUsage;
}

/** A call of a tool that is about to be made. */
export interface ToolCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * What a plugin puts around a turn. Those of plugins that were there before stand further out. One that throws is passed
 * over: the request, the stream or the call goes on as if it were not there, unless its plugin is `failClosed`.
 */
export interface PluginMiddlewares {
  /** Before each step: what to ask the model instead, or nothing to leave it as it is. */
  beforeModel?(
    request: ModelRequest,
    context: RuntimeContext,
  ): ModelRequest | undefined | Promise<ModelRequest | undefined>;
  /** Around each step. Not calling `ask` answers in the model's place. */
  wrapModel?(
    request: ModelRequest,
    ask: (request: ModelRequest) => AsyncIterable<ModelPart>,
    context: RuntimeContext,
  ): AsyncIterable<ModelPart>;
  /** After each step that came to its end. */
  afterModel?(step: ModelStep, context: RuntimeContext): void | Promise<void>;
  /** Around each call of a plugin's tool. Refuse a call with an answer that is not `ok`. */
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

/** @throws PluginError for one that would never be called. */
export function checkMiddlewares(middlewares: PluginMiddlewares): void {
  const stranger = unknownMember(middlewares, hooks);
  if (stranger !== undefined) throw new PluginError(`of getMiddlewares ${stranger}`);
}
