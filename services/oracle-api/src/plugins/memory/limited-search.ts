import { admit, type FairSemaphoreOptions } from '@mlango/service-kit/async';
import type { RecallStore } from './recall-store.js';
import type { MemoryBoot } from './tables.js';

/** A search ranks all memories of a user, who may have 20 MB: one of a user runs at a time, and two of a process. */
const searchPool: FairSemaphoreOptions<'user' | 'address'> = {
  name: 'searches',
  total: 2,
  shares: { user: 1, address: 1 },
  waiting: { total: 40, perHolder: 4 },
};

/** Who searches: a DID, and the `addressKey` of the request where it is known. */
export interface Searcher {
  readonly did: string;
  readonly address?: string | undefined;
}

export type LimitedSearch = (user: Searcher, query: string, limit: number) => ReturnType<RecallStore['search']>;

/**
 * The search of memories, within the pool that routes and tools share. It rejects with a ServiceError where the user, the address or the
 * process searches as much as it may.
 */
export function limitedSearch({ own, openPool }: Pick<MemoryBoot, 'own' | 'openPool'>): LimitedSearch {
  const pool = openPool(searchPool);
  return async ({ did, address = did }, query, limit) => {
    const permit = await admit(pool, { user: did, address });
    return own.search(did, query, limit).finally(() => permit.release());
  };
}
