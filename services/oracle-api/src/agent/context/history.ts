import type { ModelMessage } from '../../models/language-model.js';
import type { StoredMessage, StoredToolCall } from '../../store/conversation-store.js';

/** What of a message makes up what a model reads of it. */
export type ReadMessage = Pick<StoredMessage, 'type' | 'content' | 'toolCalls' | 'attachments'>;

/** What an answer of long ago shows of what a tool gave back. */
const outputChars = 4_000;

/**
 * A stored message as a model reads it. The calls of an answer stand where they were made: after the text before them, which a model wrote in
 * the same step. Calls of long ago, whose places are not known, stand first.
 */
export function toModelMessages({ type, content, toolCalls = [], attachments = [] }: ReadMessage): ModelMessage[] {
  if (type === 'human') return [{ role: 'user', content, ...(attachments.length === 0 ? {} : { attachments }) }];
  const messages: ModelMessage[] = [];
  let from = 0;
  for (const calls of stepsOf(toolCalls)) {
    const at = Math.max(from, calls[0]?.at ?? 0);
    const made = calls.map(({ id, name, args }) => ({ id, name, args }));
    messages.push({ role: 'assistant', content: content.slice(from, at).trim(), toolCalls: made });
    messages.push(...calls.map(resultOf));
    from = at;
  }
  const rest = toolCalls.length === 0 ? content : content.slice(from).trim();
  return rest === '' ? messages : [...messages, { role: 'assistant', content: rest }];
}

/** Neighbours of one place were made in one step. */
function stepsOf(calls: readonly StoredToolCall[]): StoredToolCall[][] {
  const steps: StoredToolCall[][] = [];
  for (const call of calls) {
    const step = steps.at(-1);
    if (step !== undefined && step[0]?.at === call.at) step.push(call);
    else steps.push([call]);
  }
  return steps;
}

const waits = JSON.stringify({ error: 'Not called yet: it waits for the user to allow it.' });

function resultOf({ id, status, output: given, isOwn }: StoredToolCall): ModelMessage {
  if (status === 'waiting') return { role: 'tool', toolCallId: id, content: waits, isOwn: true };
  const output = given ?? 'null';
  const content = output.length > outputChars ? `${output.slice(0, outputChars)}…` : output;
  return { role: 'tool', toolCallId: id, content, ...(isOwn === true ? { isOwn } : {}) };
}
