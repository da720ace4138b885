import type { FilesFrom } from '../files/file-intake.js';
import type { LanguageModel, ModelMessage, ModelTool, ToolChoice } from '../models/language-model.js';
import type { PlacedMessage, StoredAttachment } from '../store/sessions.js';

/** What a tab says of an action of its own. */
export interface DeclaredAction extends ModelTool {
  /** The tab shows something of its own while the action runs, and when it has. */
  readonly hasRender?: boolean | undefined;
}

/** A user's session at Matrix, as it came with a message. For what reads their files; neither kept nor logged. */
export interface MatrixSession {
  /** As the client names it: a URL, or a host. */
  readonly homeserver?: string | undefined;
  readonly accessToken?: string | undefined;
}

/** The id under which the message of a request is kept: made from it, so that a send that is repeated is found out before anything runs. */
export function questionIdOf(requestId: string): string {
  return `${requestId}~human`;
}

/** What comes with a request for its turn alone. Neither kept nor logged: a turn that waits has none of it when it goes on, but for what comes with the approval. */
export interface RequestSecrets {
  /** Invocations of the user for protected tools of other services, by the names of those tools. */
  readonly mcpInvocations?: Readonly<Record<string, string>> | undefined;
  readonly matrix?: MatrixSession | undefined;
}

/** What a client requires of the calls of its own functions in one answer. */
export interface CallRules {
  /** The answer is a call: of any of its functions, or of the named one. */
  readonly choice?: ToolChoice | undefined;
  /** The answer has one call at most. */
  readonly isSingle?: boolean | undefined;
}

/** A message of a user, from the route to the plugins. */
export interface TurnRequest extends RequestSecrets {
  /** Of the run that answers it, where that is known before; else one is made. */
  readonly runId?: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  /** Used once in a session: it becomes the id of the answer. */
  readonly requestId: string;
  readonly message: string;
  readonly model: LanguageModel;
  /**
   * Rejects when it is refused after all, with what its sender is told: nothing is kept of it then. Asked for while its log is begun, so
   * that both take one round trip. It may begin unless given.
   */
  readonly allowed?: Promise<void> | undefined;
  /** Whether somebody reads along: then a log that cannot be written is a reason not to start. */
  readonly isFollowed: boolean;
  /** Where the files are that came with it. */
  readonly attachments?: readonly StoredAttachment[] | undefined;
  /** What the tab it came from can do: in its own words, which nobody here has looked at. */
  readonly tools?: readonly ModelTool[] | undefined;
  readonly agActions?: readonly DeclaredAction[] | undefined;
  /** Whoever sent the message makes the calls of its `tools`, after the turn, which ends with them. */
  readonly hasClientTools?: boolean | undefined;
  /** Nothing may be called in its turn: whoever sent it may not have tools called. */
  readonly withoutTools?: boolean | undefined;
  /** The conversation, with what is to be answered last, where it came with the request: in the place of the one that is kept. */
  readonly history?: readonly ModelMessage[] | undefined;
  /** Where the files of `given` are from: the request, or the stored session (`history`, the default). */
  readonly filesFrom?: FilesFrom | undefined;
  /** The message that it stands in the place of, on a branch of its own: in other words, or to be answered once more. */
  readonly branchFrom?: { readonly of: PlacedMessage; readonly isAgain: boolean } | undefined;
  /** JSON Schema of the object that the answer is: an empty one for any object. Absent where the answer is text. */
  readonly responseSchema?: Readonly<Record<string, unknown>> | undefined;
  /** Rules for the calls that the sender of the message makes after the turn (`handsOver`). */
  readonly callRules?: CallRules | undefined;
  /** What the app that the user talks through asks of this answer. */
  readonly systemPrompt?: string | undefined;
  /** IANA name, when known. */
  readonly timezone?: string | undefined;
  /** Free-form, for plugins. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The `addressKey` it came from, at whose cost keys are looked up in its turn. Neither kept nor logged. */
  readonly address?: string | undefined;
}

/** A turn that waits for its user, beside what the conversation and the records of its calls have of it. */
export interface SuspendedRunState {
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
