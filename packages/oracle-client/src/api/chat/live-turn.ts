import type { SendOptions } from '../chat-options.js';
import type { IRunUsage } from '../streams/run-event.js';
import type { AnswerDraft } from './answer.js';
import type { IMessage } from './message.js';

/** A message of this page, from the moment it was sent. */
export interface SentMessage {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
}

/** The phase of a turn: being sent, read from its stream, known from the socket only, over, or not accepted by the oracle. */
export type TurnPhase = 'sending' | 'reading' | 'announced' | 'over' | 'unsent';

/** A turn that this page has seen happen. */
export interface LiveTurn {
  readonly requestId: string;
  readonly phase: TurnPhase;
  /** Undefined if this page has not received it. */
  readonly sent?: SentMessage;
  /** The options of the message, for sending it again. */
  readonly options?: SendOptions;
  /** The message that it replaces. */
  readonly instead?: BranchTarget | undefined;
  /** Another tab or device has begun it. */
  readonly isOfOtherTab?: boolean;
  /** The newest message that was known when it was sent. */
  readonly after?: string;
  /** True on a branch that is not shown: only its stored messages are. */
  readonly isAside?: boolean;
  readonly draft: AnswerDraft;
  readonly run?: { readonly runId: string; readonly status: string; readonly usage?: IRunUsage } | undefined;
}

/** A turn with a message being sent. @param after the newest known message */
export function sentTurn(
  requestId: string,
  text: string,
  options: SendOptions,
  after: string | undefined,
  instead?: BranchTarget,
): Omit<LiveTurn, 'draft'> {
  const { attachments } = options;
  const files = attachments === undefined ? {} : { attachments };
  const sent = { id: `${requestId}~human`, text, createdAt: new Date().toISOString(), ...files };
  return { requestId, phase: 'sending', sent, options, instead, ...(after === undefined ? {} : { after }) };
}

export function isUnderWay({ phase }: LiveTurn): boolean {
  return phase === 'sending' || phase === 'reading';
}

/** Whether this page reads the answer, or has read it to its end. A suspended run may continue. */
export function isFollowed({ phase, run }: LiveTurn): boolean {
  return phase === 'sending' || phase === 'reading' || (phase === 'over' && run?.status !== 'waiting');
}

/** The point where a conversation branches. */
export interface BranchPoint {
  /** The message of the user. */
  readonly question: IMessage;
  /** The branched message and all later ones, which are hidden. */
  readonly hidden: ReadonlySet<string>;
}

/** The branch point of a user's message, or of its answer; undefined if there is no such message. Pure. */
export function branchPoint(messages: readonly IMessage[], messageId: string): BranchPoint | undefined {
  const named = messages.findIndex(({ id }) => id === messageId);
  const at = messages.slice(0, named + 1).findLastIndex(({ type }) => type === 'human');
  const question = messages[at];
  return question && { question, hidden: new Set(messages.slice(at).map(({ id }) => id)) };
}

/** The message to edit or regenerate, by its id. */
export type BranchTarget = { readonly edits: string } | { readonly regenerates: string };

/** A message that replaces another one, or answers it again. */
export interface Branching extends Pick<BranchPoint, 'hidden'> {
  readonly text: string;
  /** Parts of the message for the page only. */
  readonly along: Pick<IMessage, 'attachments'>;
  readonly instead: BranchTarget;
}

/** @param text undefined to regenerate the answer. Throws if there is no such message. */
export function branching(messages: readonly IMessage[], messageId: string, text: string | undefined): Branching {
  const point = branchPoint(messages, messageId);
  if (point === undefined) throw new Error('There is no such message in the chat');
  const { id, content, attachments } = point.question;
  const { hidden } = point;
  if (text !== undefined) return { hidden, text, along: {}, instead: { edits: id } };
  const along = attachments === undefined ? {} : { attachments };
  return { hidden, text: typeof content === 'string' ? content : '', along, instead: { regenerates: id } };
}

/** A run as announced to all tabs of a session. */
export interface AnnouncedRun {
  /** As the tab that sent it has chosen it. */
  readonly requestId: string;
  readonly runId: string;
  /** `queued` while it waits for other messages, then `running`. */
  readonly status: string;
  readonly sent: SentMessage;
  /** The message that it replaces. */
  readonly instead?: string;
}

/** Reads a `run_status` event; undefined for an invalid one. */
export function announcedRun(data: Readonly<Record<string, unknown>>): AnnouncedRun | undefined {
  const { requestId, runId, status, messageId: id, message: text, timestamp: createdAt, attachments, instead } = data;
  if (typeof requestId !== 'string' || typeof runId !== 'string' || typeof status !== 'string') return undefined;
  if (typeof id !== 'string' || typeof text !== 'string' || typeof createdAt !== 'string') return undefined;
  const files = Array.isArray(attachments) ? { attachments } : {};
  const place = typeof instead === 'string' ? { instead } : {};
  return { requestId, runId, status, sent: { id, text, createdAt, ...files }, ...place };
}
