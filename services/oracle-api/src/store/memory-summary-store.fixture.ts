import type { ConversationStore } from './conversation-store.js';
import type { ConversationSummary, SummaryStore } from './summary-store.js';

/** Summaries of one process, gone with it: for tests of what stands on the port. */
export class MemorySummaryStore implements SummaryStore {
  readonly #kept = new Map<string, ConversationSummary>();
  readonly #conversations: Pick<ConversationStore, 'findSession'>;

  constructor(conversations: Pick<ConversationStore, 'findSession'>) {
    this.#conversations = conversations;
  }

  async find(ownerDid: string, sessionId: string): Promise<ConversationSummary | undefined> {
    const isThere = (await this.#conversations.findSession(ownerDid, sessionId)) !== undefined;
    return isThere ? this.#kept.get(sessionId) : undefined;
  }

  async advance(ownerDid: string, sessionId: string, summary: ConversationSummary): Promise<void> {
    if ((await this.#conversations.findSession(ownerDid, sessionId)) === undefined) return;
    if (summary.upTo > (this.#kept.get(sessionId)?.upTo ?? 0)) this.#kept.set(sessionId, summary);
  }
}
