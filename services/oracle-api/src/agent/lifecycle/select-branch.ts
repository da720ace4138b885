import { isOnBranch } from '../../store/branches.js';
import type { PlacedMessage } from '../../store/conversation-store.js';
import { tellOfChange } from './run-turn.js';
import type { TurnsParts } from './turns-parts.js';

/**
 * Selects of the branches that a message is on that which has the newest message, and tells those who follow the session. The last
 * message of the user on it; undefined where there is no such message. What runs goes on where it began.
 */
export async function selectBranch(
  parts: Pick<TurnsParts, 'conversations' | 'listeners' | 'log'>,
  ownerDid: string,
  sessionId: string,
  messageId: string,
): Promise<PlacedMessage | undefined> {
  const { conversations } = parts;
  const [message, tips] = await Promise.all([
    conversations.findQuestion(ownerDid, sessionId, messageId),
    conversations.branchTips(ownerDid, sessionId),
  ]);
  const tip = message && tips.find(({ branch }) => isOnBranch(message, branch));
  if (tip === undefined || !(await conversations.selectBranch(ownerDid, sessionId, tip.branch ?? null)))
    return undefined;
  tellOfChange({ ownerDid, sessionId, runId: '', requestId: '' }, parts);
  return tip;
}
