import type { MessageRecord } from '@mlango/schemas/oracle';
import type { StoredMessage } from '../../store/conversation-store.js';

/** Messages of one reply at most: the newest ones. */
export const listedMessages = 1000;

/** A message as clients read it. */
export function messageReply(message: StoredMessage): MessageRecord {
  return {
    id: message.messageId,
    type: message.type,
    content: message.content,
    toolCalls: message.toolCalls?.map(({ kind: _kind, isOwn: _isOwn, ...call }) => ({
      ...call,
      args: { ...call.args },
    })),
    reasoning: message.reasoning,
    status: message.status,
    finishReason: message.finishReason,
    attachments: message.attachments?.map((file) => ({ ...file })),
    isComplete: true,
    isReasoning: false,
    createdAt: message.createdAt.toISOString(),
  };
}
