import type { Branch } from './branches.js';
import type { ConversationStore, PlacedMessage } from './conversation-store.js';
import type { StoredPreferences } from './preferences-store.js';
import type { ConversationSummary, SummaryStore } from './summary-store.js';

/** Where a turn stands. */
export interface TurnPlace {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly roomId: string | undefined;
  readonly branch: Branch | undefined;
}

/** What a turn has to know of a message. */
export type RememberedMessage = Pick<
  PlacedMessage,
  'turnId' | 'type' | 'content' | 'toolCalls' | 'attachments' | 'place'
>;

export interface RememberedTurn {
  /** The last ones of the turns up to and with this one, oldest first. */
  readonly messages: readonly RememberedMessage[];
  /** As `SummaryStore.find` has it. */
  readonly summary?: ConversationSummary | undefined;
  /** As `PreferencesStore.find` has them; absent where they were not read with the rest. */
  readonly preferences?: { readonly found: StoredPreferences | undefined };
}

/**
 * What a turn has to know of what was kept before its model is asked.
 *
 * Failure: a store that cannot be reached rejects.
 */
export interface TurnMemory {
  read(turn: TurnPlace, limit: number): Promise<RememberedTurn>;
}

/** Read from each store by itself, and the preferences not at all. */
export function readApart(stores: {
  readonly conversations: Pick<ConversationStore, 'messagesUpTo'>;
  readonly summaries: Pick<SummaryStore, 'find'>;
}): TurnMemory {
  return {
    async read({ ownerDid, sessionId, runId, branch }, limit) {
      const [messages, summary] = await Promise.all([
        stores.conversations.messagesUpTo(ownerDid, sessionId, runId, { limit }),
        stores.summaries.find(ownerDid, sessionId, branch),
      ]);
      return { messages, summary };
    },
  };
}
