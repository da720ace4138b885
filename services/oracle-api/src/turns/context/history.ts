import type { ModelMessage } from '../../models/language-model.js';
import type { StoredMessage, StoredToolCall } from '../../store/conversation-store.js';

/** What of a message makes up what a model reads of it. */
export type ReadMessage = Pick<StoredMessage, 'type' | 'content' | 'toolCalls'>;

/** What an answer of long ago shows of what a tool gave back. */
const outputChars = 4_000;

/** A stored message as a model reads it: one that called tools is the calls, what they gave back, and then the answer. */
export function toModelMessages({ type, content, toolCalls = [] }: ReadMessage): ModelMessage[] {
  if (type === 'human') return [{ role: 'user', content }];
  const said: ModelMessage[] = content === '' ? [] : [{ role: 'assistant', content }];
  if (toolCalls.length === 0) return said;
  const calls = toolCalls.map(({ id, name, args }) => ({ id, name, args }));
  return [{ role: 'assistant', content: '', toolCalls: calls }, ...toolCalls.map(resultOf), ...said];
}

const waits = JSON.stringify({ error: 'Not called yet: it waits for the user to allow it.' });

function resultOf({ id, status, output: given, isOwn }: StoredToolCall): ModelMessage {
  if (status === 'waiting') return { role: 'tool', toolCallId: id, content: waits, isOwn: true };
  const output = given ?? 'null';
  const content = output.length > outputChars ? `${output.slice(0, outputChars)}…` : output;
  return { role: 'tool', toolCallId: id, content, ...(isOwn === true ? { isOwn } : {}) };
}
