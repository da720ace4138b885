import { sendLimits } from '@mlango/schemas/oracle-send';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SettleParts } from '../../agent/suspension.js';
import type { Turns } from '../../agent/turns.js';
import { fileOfUrl, type IncomingFile, refusedPart } from '../../files/incoming-file.js';
import { textWithFiles } from '../../files/message-files.js';
import { refusedField } from '../../http/errors.js';
import { requireContent } from '../../http/hooks/api-key-auth.js';
import { resolveBranchPoint, type SendDeps, startTurn } from '../../http/start-turn.js';
import type { RunStart } from '../../runs/log/store.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import { type SessionNames, sessionName } from '../../store/session-names.js';
import type { PlacedMessage } from '../../store/sessions.js';
import { requireSettling } from '../admission.js';
import { optional, storableText } from '../fields.js';
import { openNamedSession, type SessionParts } from '../sessions.js';
import { hasResponses, settleResponses } from './approvals.js';
import { messageNotFound } from './errors.js';

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

export const runRequest = z
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
type RunRequest = z.output<typeof runRequest>;
type ChatMessage = z.output<typeof message>;

type RunDeps = SendDeps & SessionParts & SettleParts & { readonly sessionNames: SessionNames };

/** The run of a request: a resumed one, of which the client has a part, or a new one. */
export async function startRun(
  deps: RunDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: RunRequest,
): Promise<{ readonly run: RunStart; readonly held?: ClientAnswer }> {
  const { did: ownerDid } = callerOf(request);
  const { id: name, messages, trigger } = body;
  const last = messages.at(-1);
  if (last !== undefined && hasResponses(last)) {
    requireSettling(request);
    requireContent(request, 'earlier');
    const sessionId = (await deps.sessionNames.find(ownerDid, name)) ?? name;
    return { run: await settleResponses(deps, ownerDid, sessionId, last), held: clientAnswer(last) };
  }
  const isAgain = trigger === 'regenerate-message';
  const { text: message, files: incoming } = newMessage(messages);
  const files = isAgain ? [] : deps.messageFiles.check(incoming, deps.models.default);
  const sessionId = await openNamedSession(deps, ownerDid, name, 'id');
  const of = await replacedMessage(deps, ownerDid, sessionId, body);
  const turn = await startTurn(deps, request, reply, {
    message,
    files,
    stream: true,
    returnAllMessages: false,
    ownerDid,
    sessionId,
    ...(of !== undefined && isAgain ? { message: of.content, attachments: of.attachments?.slice() } : {}),
    branchFrom: of && { of, isAgain },
  });
  return { run: { ...turn, ownerDid, sessionId } };
}

/** The last message of a request, which is the user's. */
interface NewMessage {
  readonly text: string;
  readonly files: readonly IncomingFile[];
}

/** @throws ServiceError for a message of another role, an empty one, and a part that is not accepted, with its place */
function newMessage(messages: readonly ChatMessage[]): NewMessage {
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
export interface ClientAnswer {
  readonly textChars: number;
  readonly reasoningChars: number;
  /** Calls with an input. */
  readonly called: ReadonlySet<string>;
  /** Calls with a result. */
  readonly ended: ReadonlySet<string>;
}

const endStates = new Set(['output-available', 'output-error', 'output-denied']);

function clientAnswer({ parts }: ChatMessage): ClientAnswer {
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
async function replacedMessage(
  deps: { readonly conversations: ConversationStore; readonly turns: Pick<Turns, 'selectBranch'> },
  ownerDid: string,
  sessionId: string,
  { messages, trigger, messageId }: RunRequest,
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
  if (before !== undefined && answered === undefined) throw messageNotFound();
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
