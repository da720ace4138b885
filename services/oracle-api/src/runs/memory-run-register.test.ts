import { MemoryConversationStore } from '../store/memory-conversation-store.fixture.js';
import { endAnsweredContract } from './end-answered.contract.js';
import { MemoryRunRegister } from './memory-run-register.fixture.js';
import { runRegisterContract } from './run-register.contract.js';

const open = () => {
  const conversations = new MemoryConversationStore();
  let nowMs = 0;
  return { register: new MemoryRunRegister(conversations, () => nowMs++), conversations };
};
runRegisterContract('memory', open);
endAnsweredContract('memory', open);
