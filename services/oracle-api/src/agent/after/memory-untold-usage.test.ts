import { MemoryRunRegister } from '../../runs/memory-run-register.fixture.js';
import { MemoryConversationStore } from '../../store/memory-conversation-store.fixture.js';
import { untoldUsageContract } from './untold-usage.contract.js';

untoldUsageContract('memory', () => {
  const conversations = new MemoryConversationStore();
  const register = new MemoryRunRegister(conversations, Date.now);
  return { conversations, register, untold: register.untold };
});
