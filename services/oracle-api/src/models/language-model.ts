import type { AssistantModelMessage } from 'ai';
import type { StoredAttachment } from '../store/sessions.js';
import type { MediaKind } from './media.js';
import type { ModelEndpoint } from './model-endpoints.js';
import type { ModelErrorKind } from './model-error.js';

/** A file of a message, or of the result of a tool, as far as it could be read. */
export type ModelFile = { readonly filename: string } & (
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Characters that the file has beyond `text`. */
      readonly leftChars: number;
      /** The text was written down by a machine that listened to the file. */
      readonly isSpoken?: true;
    }
  | { readonly kind: MediaKind; readonly mediaType: string; readonly bytes: Uint8Array }
  /** A file of an earlier message that is not shown again. */
  | { readonly kind: 'named'; readonly mediaType: string }
  /** `reason`: words that the model can pass on, after "it could not be read:". */
  | { readonly kind: 'unread'; readonly reason: string }
);

/** One message of a conversation, as a model reads it. */
export interface ModelMessage {
  /** `tool`: what came of a call. */
  readonly role: 'user' | 'assistant' | 'tool';
  /** Of a tool: JSON text. */
  readonly content: string;
  /** Of a tool: the words are this service's own. All others are from outside, and quoted (`quoted`) by whoever puts them into words. */
  readonly isOwn?: true;
  /** What came with a user's message, or with the result of a tool. */
  readonly files?: readonly ModelFile[];
  /** Where the files of the message are that are not read yet. */
  readonly attachments?: readonly StoredAttachment[];
  /** The calls that an assistant's message made; their results follow it. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** The call that a tool's message answers. */
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

/** Something that a model may call. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** What somebody outside says of it: quoted after the description. */
  readonly theirWords?: string;
  /** JSON Schema of its arguments; one without constraints allows any object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelToolCall {
  /** This service's own id, unique in the run. */
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The endpoint's own id, by which the call stands in the `native` form of its message. */
  readonly nativeId?: string;
}

export interface ModelRequest {
  /** What stands before the conversation: who the model is, what it may do, how the user wants to be talked to. */
  readonly instructions?: string | undefined;
  /** Whose request it is, so that one user does not take all places. Never told to a provider. */
  readonly userId?: string;
  /** The `addressKey` of the message's sender, which has a share of model calls. Never sent to a provider. */
  readonly address?: string | undefined;
  /** How the user wants to be talked to; the instructions say it in words. */
  readonly preferences?: ModelPreferences | undefined;
  /** What was said before the messages, in short, and where that was from: quoted before the first of them. */
  readonly notes?: ModelNotes | undefined;
  /** Oldest first; the last one is the user's. */
  readonly messages: readonly ModelMessage[];
  /** The name under which the model speaks. */
  readonly oracleName: string;
  /** The time of the turn, so that one turn gives one answer. */
  readonly now: Date;
  /** IANA name of the user's time zone, when known. */
  readonly timezone?: string | undefined;
  readonly tools?: readonly ModelTool[];
  /** JSON Schema of the object that the answer is: an empty one for any object. Absent where the answer is text. */
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** The answer is a call: of any tool, or of the named one. Absent where the model decides. */
  readonly toolChoice?: ToolChoice | undefined;
  /** False: the answer makes one call at most. */
  readonly parallelCalls?: boolean;
  /** False: its tools are there to make sense of what was called, and it has to answer in words. */
  readonly mayCall?: boolean;
}

export type ToolChoice = 'required' | { readonly name: string };

/** Carries an object as the arguments of a call, at endpoints that have no form for structured output. */
export const answerToolName = 'structured_answer';

/** Notes that a model made of a conversation: neither the user's words nor the service's. */
export interface ModelNotes {
  readonly text: string;
  /** What from outside they were made of, in words. */
  readonly sources: readonly string[];
}

/** What the built-in model, which does not read instructions, can heed. */
export interface ModelPreferences {
  readonly agentName?: string | undefined;
  readonly userName?: string | undefined;
}

/** What a call of a model took, in tokens. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A call as a model makes it. */
export type NewToolCall = Omit<ModelToolCall, 'id'>;

/**
 * A piece of an answer, or of the thinking before it; pieces of a kind are joined in order. After calls of tools the model
 * is asked again, with their results.
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
 * Something that answers.
 *
 * Order: the parts joined are the answer; `native` and then `usage` come at most once, last, from models that have them. An empty
 * answer is a failure of the model, and rejects.
 * Abort: when `signal` aborts, the iteration ends or rejects soon and lets go of what it held. Callers do not rely on
 * how soon.
 * Failure: rejects with a `ModelError`, or with anything, which counts as kind `unknown`.
 */
export interface LanguageModel {
  readonly id: string;
  /** For people, in a list of models. */
  readonly label: string;
  /** Whose model it is, as `LLM_PROVIDER` names it; absent for the built-in one. */
  readonly provider?: ModelEndpoint['provider'];
  /** Tokens that a request and its answer may have together; absent where nothing is sent anywhere. */
  readonly contextTokens?: number;
  /** Whether it accepts images: no other model receives any. */
  readonly seesImages?: boolean;
  /** Whether it accepts PDFs; others receive their text. */
  readonly readsPdfs?: boolean;
  /** Whether it accepts WAV and MP3; others receive a transcript. */
  readonly hearsAudio?: boolean;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** What is known of a model that will answer. */
export type AnsweringModel = Pick<LanguageModel, 'id' | 'contextTokens' | 'seesImages' | 'readsPdfs' | 'hearsAudio'>;
