import type { Branch } from './branches.js';

/** A stored session. `title` is absent until it is set. */
export interface StoredSession {
  readonly sessionId: string;
  readonly title?: string;
  /** The Matrix room that it was created for. */
  readonly roomId?: string;
  readonly createdAt: Date;
  readonly lastUpdatedAt: Date;
  /** Time of archiving; absent for a session that is not archived. */
  readonly archivedAt?: Date;
  /**
   * Opened by a program's request: such a session is deleted when its owner exceeds the session limit, the least recently active first.
   * Absent once the owner has renamed it or taken it out of the archive.
   */
  readonly isReplaceable?: boolean;
  /** The branch that is selected; absent for the trunk. */
  readonly branch?: Branch;
}

/** Changes of a session by its owner. `archivedAt: null` unarchives it. */
export interface SessionChange {
  readonly title?: string | undefined;
  readonly archivedAt?: Date | null | undefined;
}

export type NewSession = Pick<
  StoredSession,
  'sessionId' | 'roomId' | 'createdAt' | 'title' | 'archivedAt' | 'isReplaceable'
>;

/** A tool call of the model, with its outcome. */
export interface StoredToolCall {
  readonly id: string;
  readonly name: string;
  /** `action` for an action of the user's page; absent for all others. */
  readonly kind?: 'action';
  readonly args: Readonly<Record<string, unknown>>;
  readonly status?: string;
  /** JSON text. */
  readonly output?: string;
  /** The output is text of this service; any other output is untrusted. */
  readonly isOwn?: true;
  /** Characters of the answer before the call; absent in old records. */
  readonly at?: number;
  /** Files of the output. */
  readonly attachments?: readonly StoredAttachment[];
}

/** A component on the user's page, in its latest state. */
export interface StoredComponent {
  readonly componentName: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly status?: string | undefined;
  readonly eventId?: string | undefined;
  /** Characters of the answer before it. */
  readonly at: number;
}

/** Reference to a file of a message, without its content. */
export interface StoredAttachment {
  readonly mxcUri?: string | undefined;
  readonly eventId?: string | undefined;
  /** Of a file that was uploaded to this oracle. */
  readonly attachmentId?: string | undefined;
  readonly filename: string;
  readonly mimetype: string;
  readonly category?: string | undefined;
  readonly size?: number | undefined;
}

/** Consecutive whole turns of a conversation, oldest first. Cursors are opaque, and absent at the ends. */
export interface TurnPage {
  readonly messages: StoredMessage[];
  readonly olderCursor?: string;
  readonly newerCursor?: string;
}

/** At most one of `before` and `after`: turns older or newer than the cursor's turn. Neither: the newest turns. */
export interface TurnRange {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** How the turn of an answer ended; `waiting` while it is suspended for an approval. */
export type AnswerStatus = 'finished' | 'waiting' | 'aborted' | 'interrupted' | 'failed';

export interface StoredMessage {
  /** Unique within its session. */
  readonly messageId: string;
  /** The run that the message began or ended. */
  readonly turnId: string;
  readonly type: 'human' | 'ai';
  readonly content: string;
  readonly toolCalls?: readonly StoredToolCall[];
  readonly components?: readonly StoredComponent[];
  readonly reasoning?: string;
  /** Status of an answer; absent in old records. */
  readonly status?: AnswerStatus;
  /** `length`: the answer reached the length limit and may be incomplete. */
  readonly finishReason?: 'length';
  readonly attachments?: readonly StoredAttachment[];
  readonly createdAt: Date;
  /** Branch of a user message's turn. Absent for the trunk. On insertion, absent means the selected branch and `null` the trunk. */
  readonly branch?: Branch | null;
}

/** A message with the place of its turn, which increases with the start of the turn. */
export interface PlacedMessage extends StoredMessage {
  readonly place: number;
}

/** Result of adding a message: `duplicate` when its id is used in the session, `absent` without the session. */
export type AddMessageResult = 'added' | 'duplicate' | 'absent';

/** The error of a failed call; undefined for a successful or pending one. */
export function errorOfCall({ status, output = 'null' }: StoredToolCall): string | undefined {
  if (status !== 'error' && status !== 'unknown') return undefined;
  const { error } = (JSON.parse(output) ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : 'The call failed.';
}
