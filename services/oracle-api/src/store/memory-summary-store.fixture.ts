import type { Branch } from './branches.js';
import type { ConversationStore } from './sessions.js';
import type { ConversationSummary, SummaryStore } from './summaries.js';

/** Summary store in memory, for tests. */
export class MemorySummaryStore implements SummaryStore {
  readonly #kept = new Map<string, ConversationSummary>();
  readonly #conversations: Pick<ConversationStore, 'findSession'>;

  constructor(conversations: Pick<ConversationStore, 'findSession'>) {
    this.#conversations = conversations;
  }

  async find(ownerDid: string, sessionId: string, branch?: Branch): Promise<ConversationSummary | undefined> {
    if ((await this.#conversations.findSession(ownerDid, sessionId)) === undefined) return undefined;
    const own = this.#kept.get(keyOf(sessionId, branch?.id));
    const before = (branch?.path ?? []).flatMap((part) => {
      const kept = this.#kept.get(keyOf(sessionId, part.branch));
      return kept !== undefined && kept.upTo < part.before ? [kept] : [];
    });
    return [...(own === undefined ? [] : [own]), ...before].sort((a, b) => b.upTo - a.upTo)[0];
  }

  async advance(ownerDid: string, sessionId: string, summary: ConversationSummary, _at: Date, branch?: Branch) {
    if ((await this.#conversations.findSession(ownerDid, sessionId)) === undefined) return;
    const key = keyOf(sessionId, branch?.id);
    if (summary.upTo > (this.#kept.get(key)?.upTo ?? 0)) this.#kept.set(key, summary);
  }
}

function keyOf(sessionId: string, branchId: string | null | undefined): string {
  return `${sessionId} ${branchId ?? ''}`;
}
