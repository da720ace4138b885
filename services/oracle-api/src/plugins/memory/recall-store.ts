import type { MemoryRecord } from '@mlango/schemas/oracle-memories';
import { admit, type FairSemaphoreOptions } from '@mlango/service-kit/async';
import type { PluginBoot } from '../api/plugin.js';

/** Something that a user wanted kept: a fact about them, or an artifact that was made for them. */
export interface Memory {
  readonly memoryId: string;
  readonly kind: 'fact' | 'artifact';
  readonly title?: string;
  readonly content: string;
  readonly createdAt: Date;
}

/** Memories of one user. */
export const memoryLimit = 1_000;

/**
 * What the oracle remembers for its users, over all of their sessions.
 *
 * Ownership: every call takes the owner's DID and sees only what is that owner's.
 * Search: finds memories that hold any of the words of the query, in title or content, whatever their case; the more of
 * them and the closer together, the earlier.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface RecallStore {
  /** `full`: the user has `memoryLimit` memories, or one more for each call at the same time. */
  add(ownerDid: string, memory: Memory): Promise<'added' | 'full'>;
  search(ownerDid: string, query: string, limit: number): Promise<Memory[]>;
  /** Undefined where the owner has no such memory. */
  find(ownerDid: string, memoryId: string): Promise<Memory | undefined>;
  /** Newest first. `total` counts all of the owner's memories. */
  list(ownerDid: string, page: { limit: number; offset: number }): Promise<{ memories: Memory[]; total: number }>;
  /** False when the owner has no such memory. */
  remove(ownerDid: string, memoryId: string): Promise<boolean>;
  /** All of the owner's. Gives how many there were. */
  removeAll(ownerDid: string): Promise<number>;
}

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
export function limitedSearch({
  own,
  openPool,
}: Pick<PluginBoot<object, RecallStore>, 'own' | 'openPool'>): LimitedSearch {
  const pool = openPool(searchPool);
  return async ({ did, address = did }, query, limit) => {
    const permit = await admit(pool, { user: did, address });
    return own.search(did, query, limit).finally(() => permit.release());
  };
}

/** A memory as clients and the model are shown it. */
export function recalled({ memoryId, createdAt, ...memory }: Memory): MemoryRecord {
  return { id: memoryId, ...memory, createdAt: createdAt.toISOString() };
}
