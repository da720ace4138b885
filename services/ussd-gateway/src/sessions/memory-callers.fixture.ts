import type { MemoryAccountStore } from '../accounts/memory-account-store.fixture.js';
import type { MemoryIntentStore } from '../effects/memory-intent-store.fixture.js';
import type { FindCaller } from './find-caller.js';

/** Callers in memory stores, for tests. */
export function memoryDiallers(
  accounts: Pick<MemoryAccountStore, 'findLanguage'>,
  intents: Pick<MemoryIntentStore, 'findUntold'>,
  withinMs: number,
): FindCaller {
  return async (subscriber) => ({
    language: await accounts.findLanguage(subscriber.phoneNumber),
    unacknowledged: await intents.findUntold(subscriber, withinMs),
  });
}
