export type CallStatus = 'isRunning' | 'done' | 'error';

/** Something in a message that is shown by a component of the page. */
export interface IMessageComponent {
  readonly kind: 'tool_call' | 'action_call' | 'render_component' | 'error';
  /** Which component shows it: the name of the tool, the action or the component; `Error` for an error. */
  readonly name: string;
  /** The same for one call, whatever its status. */
  readonly id: string;
  readonly sessionId: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status?: CallStatus;
  /** What a tool or action gave, as JSON text. */
  readonly output?: string;
  readonly error?: string;
}

export interface PlacedComponent {
  readonly component: IMessageComponent;
  /** Characters of the answer before it; undefined where nobody has said. */
  readonly at: number | undefined;
}

/** Text, or text and components in the order in which they came. */
export type MessageContent = string | readonly (string | IMessageComponent)[];

export interface IToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status?: CallStatus;
  readonly output?: string;
  readonly error?: string;
}

/**
 * By its user; by a newer message, or because the oracle was; because the model or the oracle could not go on; for it was as long as it
 * may be.
 */
export type AnswerEnding = 'stopped' | 'interrupted' | 'failed' | 'length';

export interface IMessage {
  /** Of an answer: the request id of the run that wrote it. */
  readonly id: string;
  readonly type: 'human' | 'ai';
  readonly content: MessageContent;
  readonly toolCalls?: readonly IToolCall[];
  /** What the model thought before it answered, as far as it tells. */
  readonly reasoning?: string;
  /** The model is thinking, and says nothing yet. */
  readonly isReasoning?: boolean;
  /** Nothing will be added. */
  readonly isComplete: boolean;
  /** The oracle did not take it: it stands at the end until it is sent again, or said in other words. */
  readonly isUnsent?: boolean;
  /** It waits until those before it are answered. */
  readonly isQueued?: boolean;
  /** How an answer ended that did not come to its own end; absent for one that did, and while it comes. */
  readonly ending?: AnswerEnding;
  /** `ending` is `interrupted`. */
  readonly isInterrupted?: boolean;
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
  /** Ids of the messages that stand for each other here, itself too, oldest first: wordings of a message, or answers to one. Absent where there is no other. */
  readonly siblings?: readonly string[];
  /** ISO 8601. */
  readonly createdAt?: string;
}

export type ChatStatus = 'submitted' | 'streaming' | 'ready' | 'error';

/** What a call gave, of its JSON text; the text itself where that is none. */
export function parsedOutput(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}
