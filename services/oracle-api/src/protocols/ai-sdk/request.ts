import { sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import { z } from 'zod';
import type { Turns } from '../../agent/turns.js';
import { fileOfUrl, type IncomingFile, refusedPart } from '../../files/incoming-file.js';
import { textWithFiles } from '../../files/message-files.js';
import { refusedField } from '../../http/errors.js';
import { resolveBranchPoint } from '../../http/start-turn.js';
import { sessionName } from '../../store/session-names.js';
import type { ConversationStore, PlacedMessage } from '../../store/sessions.js';
import { optional, storableText } from '../fields.js';

const part = z.looseObject({
  type: z.string(),
  text: optional(z.string()),
  state: optional(z.string()),
  url: optional(z.string()),
  mediaType: optional(z.string().max(255)),
  filename: optional(z.string()),
  toolCallId: optional(z.string()),
  approval: optional(
    z.looseObject({ id: z.string(), approved: optional(z.boolean()), reason: optional(z.string().max(2_000)) }),
  ),
});
const message = z.looseObject({ id: optional(z.string()), role: z.string(), parts: z.array(part).max(1_000) });

export const chatBody = z
  .looseObject({
    id: sessionName.describe('names the session, which is created if it does not exist'),
    messages: optional(z.array(message).min(1).max(1_000)),
    message: optional(message).describe(
      'the last message only, as an alternative to `messages` with `prepareSendMessagesRequest`',
    ),
    trigger: optional(z.enum(['submit-message', 'regenerate-message'])),
    messageId: z.string().max(256).nullish().describe('the message to edit or to regenerate'),
  })
  .transform(({ messages, message: last, trigger = 'submit-message', ...body }, context) => {
    const all = messages ?? (last === undefined ? [] : [last]);
    if (all.length === 0)
      context.addIssue({ code: 'custom', path: ['messages'], message: 'give messages, or message' });
    return { ...body, messages: all, trigger };
  })
  .describe('The body that `DefaultChatTransport` sends');
export type ChatBody = z.output<typeof chatBody>;
export type ChatMessage = z.output<typeof message>;

/** The last message of a request, which is the user's. */
export interface NewMessage {
  readonly text: string;
  readonly files: readonly IncomingFile[];
}

/** @throws ServiceError for a message of another role, an empty one, and a part that is not accepted, with its place */
export function newMessage(messages: readonly ChatMessage[]): NewMessage {
  const last = messages.at(-1);
  const parts = last?.role === 'user' ? last.parts : [];
  const files = parts.flatMap((part, at) => fileOfPart(part, `messages[${messages.length - 1}].parts[${at}]`));
  const text = textWithFiles(storableText(textOf(last)), files);
  if (last?.role === 'user' && text !== '' && text.length <= sendLimits.messageChars) return { text, files };
  const rule = `the last one must be the user's, with 1 to ${sendLimits.messageChars} characters of text`;
  throw refusedField('body', 'messages', rule);
}

function fileOfPart({ type, url, mediaType, filename }: ChatMessage['parts'][number], place: string): IncomingFile[] {
  if (type === 'text') return [];
  if (type !== 'file') throw refusedPart(place, `parts of type ${type.slice(0, 100)} are not accepted`);
  return [fileOfUrl(`${place}.url`, url, { mediaType, filename })];
}

function textOf(message: ChatMessage | undefined): string {
  const texts = (message?.parts ?? []).flatMap(({ type, text }) => (type === 'text' && text ? [text] : []));
  return texts.join('\n');
}

/** Parts of a resumed answer that the client has. */
export interface HeldAnswer {
  readonly textChars: number;
  readonly reasoningChars: number;
  /** Calls with an input. */
  readonly called: ReadonlySet<string>;
  /** Calls with a result. */
  readonly ended: ReadonlySet<string>;
}

const endStates = new Set(['output-available', 'output-error', 'output-denied']);

export function heldAnswer({ parts }: ChatMessage): HeldAnswer {
  const chars = (kind: string) =>
    parts.reduce((sum, { type, text = '' }) => sum + (type === kind ? text.length : 0), 0);
  const calls = parts.flatMap(({ toolCallId, state = '' }) =>
    toolCallId === undefined ? [] : [{ toolCallId, state }],
  );
  return {
    textChars: chars('text'),
    reasoningChars: chars('reasoning'),
    called: new Set(calls.map(({ toolCallId }) => toolCallId)),
    ended: new Set(calls.filter(({ state }) => endStates.has(state)).map(({ toolCallId }) => toolCallId)),
  };
}

/**
 * The message that a request edits or regenerates; undefined for a new last message. The SDK generates the ids of user messages, so an
 * unknown id is resolved by the answer before it.
 * @throws ServiceError if there is no such message
 */
export async function replacedMessage(
  deps: { readonly conversations: ConversationStore; readonly turns: Pick<Turns, 'selectBranch'> },
  ownerDid: string,
  sessionId: string,
  { messages, trigger, messageId }: ChatBody,
): Promise<PlacedMessage | undefined> {
  const isAgain = trigger === 'regenerate-message';
  if (!isAgain && !messageId) return undefined;
  const { conversations } = deps;
  const find = async (id: string | undefined) => (id ? conversations.findQuestion(ownerDid, sessionId, id) : undefined);
  const [newest] = await conversations.newestMessages(ownerDid, sessionId, 1);
  const named =
    (await find(messageId ?? undefined)) ?? (isAgain && !messageId ? await find(newest?.messageId) : undefined);
  if (named !== undefined) return resolveBranchPoint(deps, ownerDid, sessionId, named.messageId);
  const before = messages.slice(0, -1).findLast(({ role }) => role === 'assistant');
  const answered = await find(before?.id);
  if (before !== undefined && answered === undefined) throw new ServiceError('not_found', 'Message not found');
  const { turnId = '' } =
    (answered === undefined ? newest : await tipOf(conversations, ownerDid, sessionId, answered)) ?? {};
  const range = { limit: 1, after: answered?.place ?? 0 };
  const [next] = await conversations.messagesUpTo(ownerDid, sessionId, turnId, range);
  if (next !== undefined) return resolveBranchPoint(deps, ownerDid, sessionId, next.messageId);
  // A new last message on the client's branch, which may not be the selected one.
  if (answered !== undefined) await deps.turns.selectBranch(ownerDid, sessionId, answered.messageId);
  return undefined;
}

/** The last message of the user on the branch of another. */
async function tipOf(
  conversations: Pick<ConversationStore, 'branchTips'>,
  ownerDid: string,
  sessionId: string,
  { branch }: PlacedMessage,
): Promise<PlacedMessage | undefined> {
  return (await conversations.branchTips(ownerDid, sessionId)).find((tip) => tip.branch?.id === branch?.id);
}
