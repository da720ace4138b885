import { estimateTokens } from '../../models/estimate-tokens.js';
import type { ModelMessage } from '../../models/language-model.js';
import type { StoredMessage } from '../../store/conversation-store.js';
import { toModelMessages } from './history.js';

export interface FittedHistory {
  /** The newest messages, oldest of them first; the last one, which is to be answered, always. */
  readonly kept: readonly StoredMessage[];
  /** Those before, oldest first. */
  readonly left: readonly StoredMessage[];
}

/** Cuts a conversation at its oldest end so that the rest has at most so many tokens. What is kept begins with a user. Pure. */
export function fitHistory(stored: readonly StoredMessage[], tokens: number): FittedHistory {
  let first = stored.length - 1;
  let used = messageTokens(stored.at(-1));
  for (let at = stored.length - 2; at >= 0; at--) {
    used += messageTokens(stored[at]);
    if (used > tokens) break;
    if (stored[at]?.type === 'human') first = at;
  }
  // An answer at the very beginning has lost its question, and is kept only where nothing is cut.
  const isWhole = used <= tokens;
  const cut = isWhole ? 0 : Math.max(first, 0);
  return { kept: stored.slice(cut), left: stored.slice(0, cut) };
}

function messageTokens(message: StoredMessage | undefined): number {
  return message === undefined ? 0 : toModelMessages(message).reduce((sum, part) => sum + partTokens(part), 0);
}

/** What surrounds a message counts too. */
function partTokens({ content, toolCalls = [] }: ModelMessage): number {
  return 4 + estimateTokens(content) + (toolCalls.length === 0 ? 0 : estimateTokens(JSON.stringify(toolCalls)));
}
