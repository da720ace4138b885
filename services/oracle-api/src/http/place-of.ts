import { ServiceError } from '@mlango/service-kit/errors';
import { mostBranches } from '../store/branches.js';
import type { ConversationStore, PlacedMessage } from '../store/conversation-store.js';

/** The message of a user in the place of which another one shall stand, by its id or by its answer's. @throws ServiceError where none may */
export async function placeOf(
  { conversations }: { readonly conversations: Pick<ConversationStore, 'findQuestion' | 'branchTips'> },
  ownerDid: string,
  sessionId: string,
  messageId: string,
): Promise<PlacedMessage> {
  const [found, tips] = await Promise.all([
    conversations.findQuestion(ownerDid, sessionId, messageId),
    conversations.branchTips(ownerDid, sessionId),
  ]);
  if (found === undefined) throw new ServiceError('not_found', 'Message not found');
  if (tips.length > mostBranches) {
    const message = `This conversation has ${mostBranches} branches, and may have no more: begin another one`;
    throw new ServiceError('conflict', message);
  }
  return found;
}
