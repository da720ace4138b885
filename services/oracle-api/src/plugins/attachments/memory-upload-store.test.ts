import { MemoryUploadStore } from './memory-upload-store.fixture.js';
import { uploadStoreContract } from './upload-store.contract.js';

uploadStoreContract('memory', () => {
  const sessions = new Set<string>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    store: new MemoryUploadStore(async (...session) => sessions.has(key(...session))),
    addSession: async (...session) => sessions.add(key(...session)),
    deleteSession: async (...session) => sessions.delete(key(...session)),
  };
});
