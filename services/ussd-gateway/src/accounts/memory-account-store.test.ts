import { accountStoreContract } from './account-store.contract.js';
import { MemoryAccountStore } from './memory-account-store.fixture.js';

accountStoreContract('memory', () => {
  let now = 1_700_000_000_000;
  const pass = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { store: new MemoryAccountStore(() => now), pass };
});
