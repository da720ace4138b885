import { intentStoreContract } from './intent-store.contract.js';
import { MemoryIntentStore } from './memory-intent-store.fixture.js';

intentStoreContract('memory', () => {
  let now = 1_700_000_000_000;
  const pass = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { store: new MemoryIntentStore(() => now), pass };
});
