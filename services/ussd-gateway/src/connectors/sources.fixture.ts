import type { ChainReader } from '../engine/declarations.js';
import type { Asked, Sources } from '../engine/flow.js';
import { MemoryChainReader } from './chain/memory-chain-reader.fixture.js';

/** A chain, and no webhooks. */
export function sourcesOf(chain: ChainReader = new MemoryChainReader({})): Sources {
  return { chain, webhooks: { ask: () => Promise.reject(new Error('there is no webhook here')) } };
}

/** A request of a screen in some flow. */
export function askedWith(change: Partial<Asked> = {}): Asked {
  return {
    ...{ key: 'key-1', flow: 'default', screen: 'ask', phoneNumber: '+260971230567' },
    ...{ entries: {}, with: {}, language: 'en', ...change },
  };
}
