import type { Branch } from './branches.js';

/** A session as it is kept. `title` is absent until the session has been given one. */
export interface StoredSession {
  readonly sessionId: string;
  readonly title?: string;
  /** The Matrix room that it was created for. */
  readonly roomId?: string;
  readonly createdAt: Date;
  readonly lastUpdatedAt: Date;
  /** Since when its owner wants it out of the way; absent for one that is not. */
  readonly archivedAt?: Date;
  /**
   * A request of a program opened it: it is deleted where its owner opens one session more than they may have, the one with the oldest activity
   * first. Absent once its owner has named it or taken it out of the archive.
   */
  readonly isReplaceable?: boolean;
  /** The branch that is selected; absent for the trunk. */
  readonly branch?: Branch;
}

/** What its owner changes of a session. `archivedAt: null` takes it out of the archive. */
export interface SessionChange {
  readonly title?: string | undefined;
  readonly archivedAt?: Date | null | undefined;
}

export type NewSession = Pick<
  StoredSession,
  'sessionId' | 'roomId' | 'createdAt' | 'title' | 'archivedAt' | 'isReplaceable'
>;

/** A call of a tool by the model, with what came of it. */
export interface StoredToolCall {
  readonly id: string;
  readonly name: string;
  /** `action` for what the user's page did; absent for all others. */
  readonly kind?: 'action';
  readonly args: Readonly<Record<string, unknown>>;
  readonly status?: string;
  /** JSON text. */
  readonly output?: string;
  /** The output is in this service's own words; any other is from outside. */
  readonly isOwn?: true;
  /** Characters of the answer before it; absent of one of long ago. */
  readonly at?: number;
  /** Files of the output. */
  readonly attachments?: readonly StoredAttachment[];
}

/** Something that the user's page shows with an answer, as it was told of last. */
export interface StoredComponent {
  readonly componentName: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly status?: string | undefined;
  readonly eventId?: string | undefined;
  /** Characters of the answer before it. */
  readonly at: number;
}

/** A file named by a message; where it is, never what is in it. */
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

/** Some turns of a conversation, oldest first, each of them whole. Cursors are opaque, and absent where nothing lies beyond. */
export interface TurnPage {
  readonly messages: StoredMessage[];
  readonly olderCursor?: string;
  readonly newerCursor?: string;
}

/** At most one of the two: turns older than the one the cursor names, or newer. Neither: the newest. */
export interface TurnRange {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** How the turn of an answer ended; `waiting` while its user has to allow a call. */
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
  /** Of an answer; absent for one of long ago. */
  readonly status?: AnswerStatus;
  /** `length`: the answer was as long as it may be, and may end in the midst. */
  readonly finishReason?: 'length';
  readonly attachments?: readonly StoredAttachment[];
  readonly createdAt: Date;
  /**
   * Of a message of a user: the branch that its turn is on. Absent for the trunk; of one that is added, for the branch that is selected, and
   * `null` for the trunk.
   */
  readonly branch?: Branch | null;
}

/** A message with the place of its turn: a turn that began later in a session has a greater one. */
export interface PlacedMessage extends StoredMessage {
  readonly place: number;
}

/** What came of adding a message: `duplicate` when the session has one of that id, `absent` when there is no such session. */
export type AddMessageResult = 'added' | 'duplicate' | 'absent';

/**
 * Sessions and their messages.
 *
 * Ownership: every call takes the owner's DID and sees only what is that owner's. A session of somebody else is
 * exactly like one that does not exist, in results and in errors.
 * Order: turns are listed in the order of their first messages, and the messages of a turn together, in the order in which
 * they were added, also when their times are equal.
 * Branches: what is listed of a session is the branch that is selected; up to a turn it is that turn's. The others are kept as they are.
 * A message of a user that is added with a branch selects it, in the same step.
 * Atomicity: adding a message and moving the session's `lastUpdatedAt` is one step; so is deleting a session with all
 * its messages. `lastUpdatedAt` never goes back.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface ConversationStore {
  createSession(ownerDid: string, session: NewSession): Promise<StoredSession>;
  /**
   * The same for an owner with fewer than `most` sessions, however many are created at the same time. For any other it takes the place of a
   * replaceable session that has messages and no run that goes on; `full` where there is none.
   */
  createSessionUpTo(most: number, ownerDid: string, session: NewSession): Promise<StoredSession | 'full'>;
  findSession(ownerDid: string, sessionId: string): Promise<StoredSession | undefined>;
  /** Newest activity first: those that are not archived, or those that are. `total` counts all of them. */
  listSessions(
    ownerDid: string,
    page: { limit: number; offset: number; archived?: boolean },
  ): Promise<{ sessions: StoredSession[]; total: number }>;
  /** False when there was no such session. */
  deleteSession(ownerDid: string, sessionId: string): Promise<boolean>;
  /** Sets the title if the session has none yet; false otherwise. */
  setFirstTitle(ownerDid: string, sessionId: string, title: string, at: Date): Promise<boolean>;
  /** What is not named stays, and so does the activity; archived again, a session stays so since the first time. Undefined where there is no such session. */
  changeSession(ownerDid: string, sessionId: string, change: SessionChange): Promise<StoredSession | undefined>;
  addMessage(ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult>;
  /**
   * Replaces the text of an answer, and what came with it. False when there is no such answer.
   *
   * @param before calls that the answer must still have; false when it has others. Compared and replaced in one step.
   */
  replaceAnswer(
    ownerDid: string,
    sessionId: string,
    message: StoredMessage,
    before?: readonly StoredToolCall[],
  ): Promise<boolean>;
  findMessage(ownerDid: string, sessionId: string, messageId: string): Promise<StoredMessage | undefined>;
  /** The message that began the turn of a message, with its place. */
  findQuestion(ownerDid: string, sessionId: string, messageId: string): Promise<PlacedMessage | undefined>;
  /** The last message of a user on each branch, newest first; none of a session without messages. */
  branchTips(ownerDid: string, sessionId: string): Promise<PlacedMessage[]>;
  /** Selects a branch, or with `null` the trunk. False when there is no such session. */
  selectBranch(ownerDid: string, sessionId: string, branch: Branch | null): Promise<boolean>;
  /** By the id of each message that has such: those that stand for each other, as `siblingsOf` has them. */
  siblings(ownerDid: string, sessionId: string): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The newest `limit` messages, oldest of them first. */
  newestMessages(ownerDid: string, sessionId: string, limit: number): Promise<StoredMessage[]>;
  /**
   * Of the turns up to and with the turn `upTo`, oldest first: the newest `limit` messages, or with `after` the oldest ones of the
   * turns after that place. None when there is no such turn.
   */
  messagesUpTo(
    ownerDid: string,
    sessionId: string,
    upTo: string,
    range: { readonly limit: number; readonly after?: number },
  ): Promise<PlacedMessage[]>;
  /** `unknown_cursor` when the session has no turn of that cursor. */
  pageOfTurns(ownerDid: string, sessionId: string, range: TurnRange): Promise<TurnPage | 'unknown_cursor'>;
}

/** Why a call has no result; undefined for one that has, or waits for its user. */
export function errorOfCall({ status, output = 'null' }: StoredToolCall): string | undefined {
  if (status !== 'error' && status !== 'unknown') return undefined;
  const { error } = (JSON.parse(output) ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : 'The call failed.';
}
