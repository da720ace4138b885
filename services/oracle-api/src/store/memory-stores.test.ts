import { takeResultsContract } from '../protocols/tool-results.contract.js';
import { branchesContract } from './branches.contract.js';
import { delegationStoreContract } from './delegations.contract.js';
import { MemoryConversationStore } from './memory-conversation-store.fixture.js';
import { MemoryDelegationStore } from './memory-delegation-store.fixture.js';
import { MemoryPreferencesStore } from './memory-preferences-store.fixture.js';
import { MemorySummaryStore } from './memory-summary-store.fixture.js';
import { preferencesStoreContract } from './preferences.contract.js';
import { conversationStoreContract } from './sessions.contract.js';
import { summaryStoreContract } from './summaries.contract.js';

conversationStoreContract('memory', () => new MemoryConversationStore());
takeResultsContract('memory', () => new MemoryConversationStore());
preferencesStoreContract('memory', () => new MemoryPreferencesStore());
delegationStoreContract('memory', () => new MemoryDelegationStore());
function openTalks() {
  const conversations = new MemoryConversationStore();
  return { conversations, summaries: new MemorySummaryStore(conversations) };
}
summaryStoreContract('memory', openTalks);
branchesContract('memory', openTalks);
