import { conversationStoreContract } from './conversation-store.contract.js';
import { MemoryConversationStore } from './memory-conversation-store.js';

conversationStoreContract('memory', () => new MemoryConversationStore());
