/** One message of a conversation, as a model reads it. */
export interface ModelMessage {
  /** `tool`: what came of a call. */
  readonly role: 'user' | 'assistant' | 'tool';
  /** Of a tool: JSON text. */
  readonly content: string;
  /** The calls that an assistant's message made; their results follow it. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** The call that a tool's message answers. */
  readonly toolCallId?: string;
}

/** Something that a model may call. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments; one without constraints allows any object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** Oldest first; the last one is the user's. */
  readonly messages: readonly ModelMessage[];
  /** The name under which the model speaks. */
  readonly oracleName: string;
  /** The time of the turn, so that one turn gives one answer. */
  readonly now: Date;
  /** IANA name of the user's time zone, when known. */
  readonly timezone?: string;
  readonly tools?: readonly ModelTool[];
}

/**
 * A piece of an answer, or of the thinking before it; pieces of a kind are joined in order. After calls of tools the model
 * is asked again, with their results.
 */
export type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly delta: string }
  | { readonly type: 'tool_call'; readonly call: Omit<ModelToolCall, 'id'> };

/**
 * Something that answers.
 *
 * Order: the parts joined are the answer; an empty answer is a failure of the model, and rejects.
 * Abort: when `signal` aborts, the iteration ends or rejects soon and lets go of what it held. Callers do not rely on
 * how soon.
 * Failure: rejects with a `ModelError`, or with anything, which counts as kind `unknown`.
 */
export interface LanguageModel {
  readonly id: string;
  /** For people, in a list of models. */
  readonly label: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}
