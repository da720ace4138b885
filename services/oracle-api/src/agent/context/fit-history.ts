import { estimateTokens } from '../../models/estimate-tokens.js';
import type { ModelMessage } from '../../models/language-model.js';
import { type ReadMessage, toModelMessages } from './history.js';

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
export function fitHistory<Message extends ReadMessage>(
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

function messageTokens(message: ReadMessage | undefined): number {
  return message === undefined ? 0 : toModelMessages(message).reduce((sum, part) => sum + partTokens(part), 0);
}

/** What surrounds a message counts too. */
function partTokens({ content, toolCalls = [] }: ModelMessage): number {
  return 4 + estimateTokens(content) + (toolCalls.length === 0 ? 0 : estimateTokens(JSON.stringify(toolCalls)));
}
