import { conversationStoreContract } from './conversation-store.contract.js';
import { delegationStoreContract } from './delegation-store.contract.js';
import { MemoryConversationStore } from './memory-conversation-store.fixture.js';
import { MemoryDelegationStore } from './memory-delegation-store.fixture.js';
import { MemoryPreferencesStore } from './memory-preferences-store.js';
import { preferencesStoreContract } from './preferences-store.contract.js';

conversationStoreContract('memory', () => new MemoryConversationStore());
preferencesStoreContract('memory', () => new MemoryPreferencesStore());
delegationStoreContract('memory', () => new MemoryDelegationStore());
