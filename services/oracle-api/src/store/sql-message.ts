import type { StoredMessage } from './conversation-store.js';
import { messages } from './schema.js';

/** What is read of a message. */
export const messageColumns = {
  messageId: messages.messageId,
  turnId: messages.turnId,
  type: messages.type,
  content: messages.content,
  toolCalls: messages.toolCalls,
  reasoning: messages.reasoning,
  status: messages.status,
  finishReason: messages.finishReason,
  attachments: messages.attachments,
  createdAt: messages.createdAt,
};

type MessageRow = Pick<typeof messages.$inferSelect, keyof typeof messageColumns>;

/** A row without the columns that say nothing. */
export function toMessage({
  toolCalls,
  reasoning,
  status,
  finishReason,
  attachments,
  ...row
}: MessageRow): StoredMessage {
  return {
    ...row,
    ...(toolCalls === null ? {} : { toolCalls }),
    ...(reasoning === null ? {} : { reasoning }),
    ...(status === null ? {} : { status }),
    ...(finishReason === null ? {} : { finishReason }),
    ...(attachments === null ? {} : { attachments }),
  };
}
