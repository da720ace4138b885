import { takeResultsContract } from '../protocols/tool-results.contract.js';
import { branchesContract } from './branches.contract.js';
import { conversationStoreContract } from './conversation-store.contract.js';
import { delegationStoreContract } from './delegation-store.contract.js';
import { MemoryConversationStore } from './memory-conversation-store.fixture.js';
import { MemoryDelegationStore } from './memory-delegation-store.fixture.js';
import { MemoryPreferencesStore } from './memory-preferences-store.fixture.js';
import { MemorySummaryStore } from './memory-summary-store.fixture.js';
import { preferencesStoreContract } from './preferences-store.contract.js';
import { summaryStoreContract } from './summary-store.contract.js';

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
