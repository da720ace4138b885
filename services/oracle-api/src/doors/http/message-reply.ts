import type { MessageRecord } from '@mlango/schemas/oracle-messages';
import type { ConversationStore, StoredMessage } from '../../store/conversation-store.js';
import { errorOfCall } from '../../store/error-of-call.js';

/** Messages of one reply at most: the newest ones. */
export const listedMessages = 1000;

type Siblings = ReadonlyMap<string, readonly string[]>;

/** A message as clients read it. */
export function messageReply(message: StoredMessage, siblings: Siblings): MessageRecord {
  return {
    id: message.messageId,
    type: message.type,
    content: message.content,
    toolCalls: message.toolCalls?.map(({ kind: _kind, isOwn: _isOwn, ...call }) => ({
      ...call,
      args: { ...call.args },
      error: errorOfCall(call),
    })),
    components: message.components?.map(({ args, ...component }) => ({ ...component, args: args && { ...args } })),
    reasoning: message.reasoning,
    status: message.status,
    finishReason: message.finishReason,
    attachments: message.attachments?.map((file) => ({ ...file })),
    siblings: siblings.get(message.messageId)?.slice(),
    isComplete: true,
    isReasoning: false,
    createdAt: message.createdAt.toISOString(),
  };
}

/** The newest messages of a session as clients read them, oldest first. */
export async function listMessages(
  conversations: Pick<ConversationStore, 'newestMessages' | 'siblings'>,
  ownerDid: string,
  sessionId: string,
): Promise<MessageRecord[]> {
  const [stored, siblings] = await Promise.all([
    conversations.newestMessages(ownerDid, sessionId, listedMessages),
    conversations.siblings(ownerDid, sessionId),
  ]);
  return stored.map((message) => messageReply(message, siblings));
}
