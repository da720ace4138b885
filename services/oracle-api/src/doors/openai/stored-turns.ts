import type { ModelMessage } from '../../models/language-model.js';
import type { StoredMessage, StoredToolCall } from '../../store/conversation-store.js';
import { asJson } from '../take-results.js';

const imageNote = '[An image came with this message. It is not stored.]';

/** The text of a message of the user as a session stores it: images of a request are not stored, which the text says. */
export function shownText(message: ModelMessage | undefined): string {
  const { content = '', files = [] } = message ?? {};
  return files.length === 0 ? content : [content, imageNote].filter(Boolean).join('\n\n');
}

/** A conversation that a client brings, as the messages of a session: each message of the user begins a turn, with one answer at most. */
export function storedTurns(earlier: readonly ModelMessage[], newId: () => string, createdAt: Date): StoredMessage[] {
  const messages: StoredMessage[] = [];
  let answer: (StoredMessage & { toolCalls: StoredToolCall[] }) | undefined;
  let turnId = newId();
  for (const message of earlier) {
    if (message.role === 'user') {
      turnId = newId();
      answer = undefined;
      messages.push({ messageId: newId(), turnId, type: 'human', content: shownText(message), createdAt });
      continue;
    }
    if (answer === undefined) {
      answer = { messageId: newId(), turnId, type: 'ai', content: '', toolCalls: [], status: 'finished', createdAt };
      messages.push(answer);
    }
    const { content, toolCalls = [], toolCallId } = message;
    if (message.role === 'tool') {
      const at = answer.toolCalls.findIndex(({ id }) => id === toolCallId);
      const call = answer.toolCalls[at];
      if (call !== undefined) answer.toolCalls[at] = { ...call, status: 'done', output: asJson(content) };
      continue;
    }
    Object.assign(answer, { content: [answer.content, content].filter(Boolean).join('\n\n') });
    const at = answer.content.length;
    answer.toolCalls.push(...toolCalls.map(({ id, name, args }) => ({ id, name, args, status: 'error', at })));
  }
  return messages.map((one) => (one.toolCalls?.length === 0 ? without(one) : one));
}

function without({ toolCalls: _toolCalls, ...message }: StoredMessage): StoredMessage {
  return message;
}
