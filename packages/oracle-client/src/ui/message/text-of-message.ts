import type { IMessage } from '../../chat/message.js';

/** What a message says in words, without its components. */
export function textOfMessage({ content }: Pick<IMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.filter((part) => typeof part === 'string').join('\n\n');
}
