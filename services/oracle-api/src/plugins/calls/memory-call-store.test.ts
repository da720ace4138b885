import { callStoreContract } from './call-store.contract.js';
import { MemoryCallStore } from './memory-call-store.fixture.js';

callStoreContract('memory', () => {
  const sessions = new Set<string>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    store: new MemoryCallStore(async (...session) => sessions.has(key(...session))),
    addSession: async (...session) => sessions.add(key(...session)),
    deleteSession: async (...session) => sessions.delete(key(...session)),
  };
});
