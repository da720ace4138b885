import type { AssistantModelMessage } from 'ai';
import type { StoredAttachment } from '../store/sessions.js';
import type { MediaKind } from './media.js';
import type { ModelEndpoint } from './model-endpoints.js';
import type { ModelErrorKind } from './model-error.js';

/** A file of a message or of a tool's result, as far as it could be read. */
export type ModelFile = { readonly filename: string } & (
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Length of the file beyond `text`, in characters. */
      readonly leftChars: number;
      /** The text is a machine transcript of the recording. */
      readonly isTranscript?: true;
    }
  | { readonly kind: MediaKind; readonly mediaType: string; readonly bytes: Uint8Array }
  /** A file of an earlier message that is not shown again. */
  | { readonly kind: 'named'; readonly mediaType: string }
  /** `reason`: words that the model can pass on, after "it could not be read:". */
  | { readonly kind: 'unread'; readonly reason: string }
);

/** One message of a conversation, as a model receives it. */
export interface ModelMessage {
  /** `tool`: the result of a call. */
  readonly role: 'user' | 'assistant' | 'tool';
  /** For a tool: JSON text. */
  readonly content: string;
  /**
   * For a tool: the text was written by this service. All other texts are untrusted and quoted (`quoted`) by the code that renders
   * them.
   */
  readonly isOwn?: true;
  /** Files of a user's message, or of a tool's result. */
  readonly files?: readonly ModelFile[];
  /** Locations of the message's files that are not read yet. */
  readonly attachments?: readonly StoredAttachment[];
  /** The calls of an assistant's message; their results follow it. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** For a tool: id of the call with this result. */
  readonly toolCallId?: string;
  /** An assistant's message of this turn as its endpoint sent it. */
  readonly native?: NativeMessage;
}

/**
 * An assistant's message in the AI SDK's form: with the endpoint's own call ids, its reasoning, and the metadata that it expects back
 * (signatures, reasoning details). JSON, so that a suspended turn can store it.
 */
export interface NativeMessage {
  /** Id of the model that sent it. Another model never receives it. */
  readonly modelId: string;
  readonly message: AssistantModelMessage;
}

/** A tool that a model may call. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** Untrusted part of the description: quoted after it. */
  readonly theirWords?: string;
  /** JSON Schema of its arguments; one without constraints allows any object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelToolCall {
  /** This service's own id, unique in the run. */
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The endpoint's own id of the call in the `native` form of its message. */
  readonly nativeId?: string;
}

export interface ModelRequest {
  /** System prompt: persona of the model, its permissions, the user's preferences. */
  readonly instructions?: string | undefined;
  /** The user: the call counts against their share of concurrent calls. Never sent to a provider. */
  readonly userId?: string;
  /** The `addressKey` of the message's sender, which has a share of model calls. Never sent to a provider. */
  readonly address?: string | undefined;
  /** The user's preferences for answers; the instructions contain them as text. */
  readonly preferences?: ModelPreferences | undefined;
  /** Summary of earlier messages with its sources: quoted before the first message. */
  readonly notes?: ModelNotes | undefined;
  /** Oldest first; the last one is the user's. */
  readonly messages: readonly ModelMessage[];
  /** The model's name in the conversation. */
  readonly oracleName: string;
  /** The time of the turn, constant during the turn. */
  readonly now: Date;
  /** IANA name of the user's time zone, if known. */
  readonly timezone?: string | undefined;
  readonly tools?: readonly ModelTool[];
  /** JSON Schema of the answer; an empty schema for any object. Absent for a text answer. */
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** Requires a call: of any tool, or of the named one. Absent: the model decides. */
  readonly toolChoice?: ToolChoice | undefined;
  /** False: at most one call in the answer. */
  readonly parallelCalls?: boolean;
  /** False: tools are declared only to explain earlier calls; the answer is text. */
  readonly mayCall?: boolean;
}

export type ToolChoice = 'required' | { readonly name: string };

/** Carries an object as the arguments of a call, at endpoints that have no form for structured output. */
export const answerToolName = 'structured_answer';

/** Notes that a model made of a conversation: not words of the user or of the service. */
export interface ModelNotes {
  readonly text: string;
  /** Names of the untrusted sources in the notes. */
  readonly sources: readonly string[];
}

/** Preferences that the built-in model supports, since it does not read instructions. */
export interface ModelPreferences {
  readonly agentName?: string | undefined;
  readonly userName?: string | undefined;
}

/** Token usage of a model call. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A call as a model makes it. */
export type NewToolCall = Omit<ModelToolCall, 'id'>;

/**
 * A part of an answer, or of the thinking before it; parts of one kind are joined in order. After tool calls the model is called
 * again, with their results.
 */
export type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly delta: string }
  | {
      readonly type: 'tool_call';
      readonly call: NewToolCall;
      /** Why the arguments could not be read; `args` is then empty. */
      readonly problem?: string;
    }
  /** The answer ends where it is as long as it may be. */
  | { readonly type: 'cut' }
  /** Which of several models answers, before its answer, and which have failed before it. */
  | {
      readonly type: 'answering';
      readonly modelId: string;
      readonly failed: readonly { readonly modelId: string; readonly kind: ModelErrorKind }[];
    }
  /** The whole answer in the endpoint's form, once it is complete. */
  | { readonly type: 'native'; readonly native: NativeMessage }
  | { readonly type: 'usage'; readonly usage: ModelUsage };

/**
 * A model that answers.
 *
 * Order: the joined parts are the answer; `native` and then `usage` come at most once, last, if the model has them. An empty answer
 * is a failure and rejects.
 * Abort: when `signal` aborts, the iteration ends or rejects soon and releases its resources. Callers do not rely on the delay.
 * Errors: rejects with a `ModelError`; any other error counts as kind `unknown`.
 */
export interface LanguageModel {
  readonly id: string;
  /** Display name in a list of models. */
  readonly label: string;
  /** Provider as in `LLM_PROVIDER`; absent for the built-in model. */
  readonly provider?: ModelEndpoint['provider'];
  /** Maximum tokens of a request and its answer together; absent for a model without an endpoint. */
  readonly contextTokens?: number;
  /** Whether it accepts images; other models receive none. */
  readonly seesImages?: boolean;
  /** Whether it accepts PDFs; others receive their text. */
  readonly readsPdfs?: boolean;
  /** Whether it accepts WAV and MP3; others receive a transcript. */
  readonly hearsAudio?: boolean;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Public properties of the model that will answer. */
export type AnsweringModel = Pick<LanguageModel, 'id' | 'contextTokens' | 'seesImages' | 'readsPdfs' | 'hearsAudio'>;
