import type { ModelMessage } from '../../models/language-model.js';
import { estimateTokens } from '../../models/usage.js';
import type { StoredMessage, StoredToolCall } from '../../store/sessions.js';

/** Fields of a message that are sent to a model. */
export type HistoryMessage = Pick<StoredMessage, 'type' | 'content' | 'toolCalls' | 'attachments'>;

/** Characters of a tool result in the history. */
const outputChars = 4_000;

/**
 * A stored message in the model's format. The calls of an answer follow the text before them, which is from the same step. Calls without a
 * position are first.
 */
export function toModelMessages({ type, content, toolCalls = [], attachments = [] }: HistoryMessage): ModelMessage[] {
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

/** Adjacent calls at one position are of one step. */
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

function resultOf({ id, status, output: storedOutput, isOwn }: StoredToolCall): ModelMessage {
  if (status === 'waiting') return { role: 'tool', toolCallId: id, content: waits, isOwn: true };
  const output = storedOutput ?? 'null';
  const content = output.length > outputChars ? `${output.slice(0, outputChars)}…` : output;
  return { role: 'tool', toolCallId: id, content, ...(isOwn === true ? { isOwn } : {}) };
}

/** Maximum number of messages for a model, including the one to answer. */
export const historyMessages = 200;

export interface FittedHistory<Message> {
  /** The newest messages in ascending order; always includes the last one, which is to be answered. */
  readonly fitted: readonly Message[];
  /** The messages before those, oldest first. */
  readonly left: readonly Message[];
}

/** Cuts a conversation at its oldest end to a number of tokens and messages. The remaining part begins with a user message. Pure. */
export function fitHistory<Message extends HistoryMessage>(
  stored: readonly Message[],
  tokens: number,
  messages = historyMessages,
): FittedHistory<Message> {
  let first = stored.length - 1;
  let used = messageTokens(stored.at(-1));
  for (let at = stored.length - 2; at >= 0; at--) {
    used += messageTokens(stored[at]);
    if (used > tokens || stored.length - at > messages) break;
    if (stored[at]?.type === 'human') first = at;
  }
  // A leading answer without its question stays only when nothing is cut.
  const isWhole = used <= tokens && stored.length <= messages;
  const cut = isWhole ? 0 : Math.max(first, 0);
  return { fitted: stored.slice(cut), left: stored.slice(0, cut) };
}

function messageTokens(message: HistoryMessage | undefined): number {
  return message === undefined ? 0 : toModelMessages(message).reduce((sum, part) => sum + partTokens(part), 0);
}

/** Includes the overhead of a message. */
function partTokens({ content, toolCalls = [] }: ModelMessage): number {
  return 4 + estimateTokens(content) + (toolCalls.length === 0 ? 0 : estimateTokens(JSON.stringify(toolCalls)));
}
