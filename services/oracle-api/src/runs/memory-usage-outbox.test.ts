import { MemoryConversationStore } from '../store/memory-conversation-store.fixture.js';
import { MemoryRunRegister } from './memory-run-repository.fixture.js';
import { untoldUsageContract } from './usage-outbox.contract.js';

untoldUsageContract('memory', () => {
  const conversations = new MemoryConversationStore();
  const register = new MemoryRunRegister(conversations, Date.now);
  return { conversations, register, untold: register.untold };
});
