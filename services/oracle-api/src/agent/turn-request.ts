import type { FilesFrom } from '../files/file-intake.js';
import type { LanguageModel, ModelMessage, ModelTool, ToolChoice } from '../models/language-model.js';
import type { PlacedMessage, StoredAttachment } from '../store/sessions.js';

/** An action as declared by a browser tab. */
export interface DeclaredAction extends ModelTool {
  /** The tab renders the action while it runs and after it. */
  readonly hasRender?: boolean | undefined;
}

/** A user's Matrix session, sent with a message and used to read files. Never stored or logged. */
export interface MatrixSession {
  /** As sent by the client: a URL or a host. */
  readonly homeserver?: string | undefined;
  readonly accessToken?: string | undefined;
}

/** Id of the message of a request. It is derived from the request, so a repeated send is detected before a run starts. */
export function questionIdOf(requestId: string): string {
  return `${requestId}~human`;
}

/** Credentials of one request. Never stored or logged: a resumed turn has only those sent with the approval. */
export interface RequestSecrets {
  /** The user's invocations for protected tools of other services, by tool name. */
  readonly mcpInvocations?: Readonly<Record<string, string>> | undefined;
  readonly matrix?: MatrixSession | undefined;
}

/** Client requirements for calls of the client's functions in one answer. */
export interface CallRules {
  /** The answer is a call of any function, or of the named one. */
  readonly choice?: ToolChoice | undefined;
  /** The answer has at most one call. */
  readonly isSingle?: boolean | undefined;
}

/** A message of a user, from the route to the plugins. */
export interface TurnRequest extends RequestSecrets {
  /** Id of the run, if already known; else a new one is generated. */
  readonly runId?: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  /** Used once in a session: it becomes the id of the answer. */
  readonly requestId: string;
  readonly message: string;
  readonly model: LanguageModel;
  /**
   * Rejects when admission refuses the message; then nothing is stored. Awaited while the log begins, which saves a round trip. Default:
   * admitted.
   */
  readonly allowed?: Promise<void> | undefined;
  /** Whether a client reads the stream: then the turn does not start without a log. */
  readonly isFollowed: boolean;
  /** References to the files of the message. */
  readonly attachments?: readonly StoredAttachment[] | undefined;
  /** Tools declared by the tab. Untrusted and not validated here. */
  readonly tools?: readonly ModelTool[] | undefined;
  readonly agActions?: readonly DeclaredAction[] | undefined;
  /** The client executes the calls of its `tools` after the turn, which ends with them. */
  readonly hasClientTools?: boolean | undefined;
  /** The turn runs without tools, because its sender may not use them. */
  readonly withoutTools?: boolean | undefined;
  /** The conversation from the request, with the message to answer last. Replaces the stored conversation. */
  readonly history?: readonly ModelMessage[] | undefined;
  /** Source of the files in `history`: the request, or the stored session (`history`, the default). */
  readonly filesFrom?: FilesFrom | undefined;
  /** The message that this one replaces on a new branch: edited, or answered again (`isAgain`). */
  readonly branchFrom?: { readonly of: PlacedMessage; readonly isAgain: boolean } | undefined;
  /** JSON Schema of the answer; an empty schema accepts any object. Absent for a text answer. */
  readonly responseSchema?: Readonly<Record<string, unknown>> | undefined;
  /** Rules for the calls that the client executes after the turn (`hasClientTools`). */
  readonly callRules?: CallRules | undefined;
  /** Instructions of the client app for this answer. */
  readonly systemPrompt?: string | undefined;
  /** IANA name, when known. */
  readonly timezone?: string | undefined;
  /** Free-form, for plugins. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The `addressKey` of the sender, charged for key lookups of the turn. Never stored or logged. */
  readonly address?: string | undefined;
}

/** State of a suspended turn that is not in the conversation or in the call records. */
export interface SuspendedRunState {
  readonly modelId: string;
  /** Messages to and from the model in this turn. Pending calls have no results. */
  readonly messages: readonly ModelMessage[];
  /** Characters of the answer so far, approval notice included. Absent in records of an earlier version. */
  readonly saidChars?: number;
  /** Number of model requests. */
  readonly steps: number;
  /** Number of suspensions, including this one. */
  readonly pauses: number;
  readonly tools?: readonly ModelTool[];
  readonly agActions?: readonly DeclaredAction[];
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  readonly timezone?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The span of the turn before the suspension, with tracing enabled. */
  readonly traceparent?: string;
}
