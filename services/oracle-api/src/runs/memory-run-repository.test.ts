import { MemoryConversationStore } from '../store/memory-conversation-store.fixture.js';
import { endAnsweredContract } from './end-answered.contract.js';
import { MemoryRunRegister } from './memory-run-repository.fixture.js';
import { runRepositoryContract } from './run-repository.contract.js';

const open = () => {
  const conversations = new MemoryConversationStore();
  let nowMs = 0;
  return { register: new MemoryRunRegister(conversations, () => nowMs++), conversations };
};
runRepositoryContract('memory', open);
endAnsweredContract('memory', open);
