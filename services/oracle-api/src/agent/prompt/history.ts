import type { ModelMessage } from '../../models/language-model.js';
import { estimateTokens } from '../../models/usage.js';
import type { StoredMessage, StoredToolCall } from '../../store/sessions.js';

/** What of a message makes up what a model reads of it. */
export type HistoryMessage = Pick<StoredMessage, 'type' | 'content' | 'toolCalls' | 'attachments'>;

/** What an answer of long ago shows of what a tool gave back. */
const outputChars = 4_000;

/**
 * A stored message as a model reads it. The calls of an answer stand where they were made: after the text before them, which a model wrote in
 * the same step. Calls of long ago, whose places are not known, stand first.
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

/** Messages that a model is shown at most, the one to answer included. */
export const historyMessages = 200;

export interface FittedHistory<Message> {
  /** The newest messages, oldest of them first; the last one, which is to be answered, always. */
  readonly kept: readonly Message[];
  /** Those before, oldest first. */
  readonly left: readonly Message[];
}

/**
 * Cuts a conversation at its oldest end so that the rest has at most so many tokens and messages. What is kept begins with a
 * user. Pure.
 */
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
  // An answer at the very beginning has lost its question, and is kept only where nothing is cut.
  const isWhole = used <= tokens && stored.length <= messages;
  const cut = isWhole ? 0 : Math.max(first, 0);
  return { kept: stored.slice(cut), left: stored.slice(0, cut) };
}

function messageTokens(message: HistoryMessage | undefined): number {
  return message === undefined ? 0 : toModelMessages(message).reduce((sum, part) => sum + partTokens(part), 0);
}

/** What surrounds a message counts too. */
function partTokens({ content, toolCalls = [] }: ModelMessage): number {
  return 4 + estimateTokens(content) + (toolCalls.length === 0 ? 0 : estimateTokens(JSON.stringify(toolCalls)));
}
