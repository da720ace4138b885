export type CallStatus = 'isRunning' | 'done' | 'error';

/** Something in a message that is shown by a component of the page. */
export interface IMessageComponent {
  readonly kind: 'tool_call' | 'action_call' | 'render_component' | 'error';
  /** Which component shows it: the name of the tool, the action or the component; `Error` for an error. */
  readonly name: string;
  /** The id of one call in every status. */
  readonly id: string;
  readonly sessionId: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status?: CallStatus;
  /** Result of a tool or action, as JSON text. */
  readonly output?: string;
  readonly error?: string;
  /** The outcome is unknown: the tool may have acted. The status is `error`. */
  readonly isUncertain?: boolean;
}

export interface PlacedComponent {
  readonly component: IMessageComponent;
  /** Characters of the answer before it; undefined if unknown. */
  readonly at: number | undefined;
}

/** Text, or text and components in the order received. */
export type MessageContent = string | readonly (string | IMessageComponent)[];

export interface IToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status?: CallStatus;
  readonly output?: string;
  readonly error?: string;
  /** The outcome is unknown: the tool may have acted. The status is `error`. */
  readonly isUncertain?: boolean;
}

/**
 * Why an answer ended early: stopped by its user; interrupted by a newer message or a restart; failed in the model or the oracle;
 * at the length limit.
 */
export type AnswerEnding = 'stopped' | 'interrupted' | 'failed' | 'length';

export interface IMessage {
  /** For an answer: the request id of the run that wrote it. */
  readonly id: string;
  readonly type: 'human' | 'ai';
  readonly content: MessageContent;
  readonly toolCalls?: readonly IToolCall[];
  /** Reasoning text of the model, if it is sent. */
  readonly reasoning?: string;
  /** The model is reasoning and has sent no text yet. */
  readonly isReasoning?: boolean;
  /** The content is final. */
  readonly isComplete: boolean;
  /** The message was not accepted: it stays at the end until it is sent again or edited. */
  readonly isUnsent?: boolean;
  /** It is queued until those before it are answered. */
  readonly isQueued?: boolean;
  /** Why the answer is incomplete; absent for a complete or streaming one. */
  readonly ending?: AnswerEnding;
  /** `ending` is `interrupted`. */
  readonly isInterrupted?: boolean;
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
  /** Ids of the alternative versions of this message, including itself, oldest first. Absent for a single version. */
  readonly siblings?: readonly string[];
  /** ISO 8601. */
  readonly createdAt?: string;
}

export type ChatStatus = 'submitted' | 'streaming' | 'ready' | 'error';

/** The parsed JSON of a result; the text itself if it is not JSON. */
export function parsedOutput(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}
