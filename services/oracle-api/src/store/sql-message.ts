import type { StoredAttachment, StoredMessage, StoredToolCall } from './conversation-store.js';
import { messages } from './schema.js';

/** What is read of a message. */
export const messageColumns = {
  messageId: messages.messageId,
  turnId: messages.turnId,
  type: messages.type,
  content: messages.content,
  toolCalls: messages.toolCalls,
  reasoning: messages.reasoning,
  attachments: messages.attachments,
  createdAt: messages.createdAt,
};

interface MessageRow extends Omit<StoredMessage, 'toolCalls' | 'reasoning' | 'attachments'> {
  readonly toolCalls: readonly StoredToolCall[] | null;
  readonly reasoning: string | null;
  readonly attachments: readonly StoredAttachment[] | null;
}

/** A row without the columns that say nothing. */
export function toMessage({ toolCalls, reasoning, attachments, ...row }: MessageRow): StoredMessage {
  return {
    ...row,
    ...(toolCalls === null ? {} : { toolCalls }),
    ...(reasoning === null ? {} : { reasoning }),
    ...(attachments === null ? {} : { attachments }),
  };
}
