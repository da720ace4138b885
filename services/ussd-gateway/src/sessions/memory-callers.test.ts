import { MemoryAccountStore } from '../accounts/memory-account-store.fixture.js';
import { MemoryIntentStore } from '../effects/memory-intent-store.fixture.js';
import { callersContract, withinMs } from './callers.contract.js';
import { memoryDiallers } from './memory-callers.fixture.js';

callersContract('memory', () => {
  let now = 1_700_000_000_000;
  const pass = async (ms: number): Promise<void> => {
    now += ms;
  };
  const accounts = new MemoryAccountStore(() => now);
  const intents = new MemoryIntentStore(() => now);
  return { find: memoryDiallers(accounts, intents, withinMs), accounts, intents, pass };
});
