import { feedbackStoreContract } from './feedback-store.contract.js';
import { MemoryFeedbackStore } from './memory-feedback-store.fixture.js';

feedbackStoreContract('memory', () => {
  const sessions = new Set<string>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    store: new MemoryFeedbackStore(async (...session) => sessions.has(key(...session))),
    addSession: async (...session) => sessions.add(key(...session)),
    deleteSession: async (...session) => sessions.delete(key(...session)),
  };
});
