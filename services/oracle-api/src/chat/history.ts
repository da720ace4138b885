import type { ModelMessage } from '../models/language-model.js';
import type { StoredMessage } from '../store/conversation-store.js';

/** Messages that a model is shown, the one to answer included. */
export const historyMessages = 40;

/** Characters that a model is shown, the message to answer not counted. */
const historyChars = 100_000;

/** What a model reads of a conversation: the newest messages that fit, oldest first, the last one always. */
export function toModelMessages(stored: readonly StoredMessage[]): ModelMessage[] {
  const kept: ModelMessage[] = [];
  let chars = 0;
  for (const message of stored.toReversed()) {
    if (kept.length > 0) chars += message.content.length;
    if (chars > historyChars) break;
    kept.push({ role: message.type === 'human' ? 'user' : 'assistant', content: message.content });
  }
  return kept.reverse();
}
