import type { ChainReader } from '../engine/declarations.js';
import type { QueryRequest, Sources } from '../engine/flow.js';
import { pathOf, readReply } from './chain/chain-question.js';

/** A chain with these entries, as JSON by path. */
export function chainOf(replies: Readonly<Record<string, unknown>>): ChainReader {
  return {
    read: async (question) => {
      const path = pathOf(question);
      if (path === undefined || !Object.hasOwn(replies, path)) return undefined;
      return readReply({ status: 200, text: JSON.stringify(replies[path]) }, question);
    },
  };
}

/** A chain, and no webhooks. */
export function sourcesOf(chain: ChainReader = chainOf({})): Sources {
  return { chain, webhooks: { query: () => Promise.reject(new Error('there is no webhook here')) } };
}

/** A request of a screen in some flow. */
export function queryRequest(change: Partial<QueryRequest> = {}): QueryRequest {
  return {
    key: 'key-1',
    flow: 'default',
    screen: 'ask',
    phoneNumber: '+260971230567',
    entries: {},
    with: {},
    language: 'en',
    ...change,
  };
}
