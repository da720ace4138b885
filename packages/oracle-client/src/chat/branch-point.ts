import type { IMessage } from './message.js';

/** Where a conversation goes another way. */
export interface BranchPoint {
  /** The message of the user. */
  readonly question: IMessage;
  /** It, and what comes after it: shown no more. */
  readonly hidden: ReadonlySet<string>;
}

/** That of a message of the user, or of its answer; undefined where there is no such message. Pure. */
export function branchPoint(messages: readonly IMessage[], messageId: string): BranchPoint | undefined {
  const named = messages.findIndex(({ id }) => id === messageId);
  const at = messages.slice(0, named + 1).findLastIndex(({ type }) => type === 'human');
  const question = messages[at];
  return question && { question, hidden: new Set(messages.slice(at).map(({ id }) => id)) };
}

/** By its id, the message that is said in other words, or answered once more. */
export type Instead = { readonly edits: string } | { readonly regenerates: string };

/** A message that is said in the place of another one, or again. */
export interface Branching extends Pick<BranchPoint, 'hidden'> {
  readonly text: string;
  /** What goes along with it for the page alone. */
  readonly along: Pick<IMessage, 'attachments'>;
  readonly instead: Instead;
}

/** @param text undefined to have the message answered once more. Throws where there is no such message. */
export function branching(messages: readonly IMessage[], messageId: string, text: string | undefined): Branching {
  const point = branchPoint(messages, messageId);
  if (point === undefined) throw new Error('There is no such message in the chat');
  const { id, content, attachments } = point.question;
  const { hidden } = point;
  if (text !== undefined) return { hidden, text, along: {}, instead: { edits: id } };
  const along = attachments === undefined ? {} : { attachments };
  return { hidden, text: typeof content === 'string' ? content : '', along, instead: { regenerates: id } };
}
