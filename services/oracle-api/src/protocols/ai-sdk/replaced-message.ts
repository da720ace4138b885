import { ServiceError } from '@mlango/service-kit/errors';
import type { Turns } from '../../agent/lifecycle/turns.js';
import { placeOf } from '../../http/place-of.js';
import type { ConversationStore, PlacedMessage } from '../../store/conversation-store.js';
import type { ChatBody } from './chat-request.js';

/**
 * The message of the conversation that a request takes the place of: one that is edited, or answered once more. Undefined where what is
 * said comes last. The SDK makes up the ids of messages of the user, so one that is not known is found by the answer before it.
 * @throws ServiceError where there is none
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
  if (named !== undefined) return placeOf(deps, ownerDid, sessionId, named.messageId);
  const before = messages.slice(0, -1).findLast(({ role }) => role === 'assistant');
  const answered = await find(before?.id);
  if (before !== undefined && answered === undefined) throw new ServiceError('not_found', 'Message not found');
  const { turnId = '' } =
    (answered === undefined ? newest : await tipOf(conversations, ownerDid, sessionId, answered)) ?? {};
  const range = { limit: 1, after: answered?.place ?? 0 };
  const [next] = await conversations.messagesUpTo(ownerDid, sessionId, turnId, range);
  if (next !== undefined) return placeOf(deps, ownerDid, sessionId, next.messageId);
  // It comes last on the branch that the client shows, which need not be the one that is selected.
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
