import type { FairSemaphoreOptions } from '@mlango/async/fair-semaphore';
import type { MemoryRecord } from '@mlango/schemas/oracle-memories';
import { admit } from '@mlango/service-kit/shared-pools';
import type { PluginBoot } from '../api/plugin.js';

/** A memory of a user: a fact about them, or an artifact that was made for them. */
export interface Memory {
  readonly memoryId: string;
  readonly kind: 'fact' | 'artifact';
  readonly title?: string;
  readonly content: string;
  readonly createdAt: Date;
}

/** Maximum number of memories of one user. */
export const memoryLimit = 1_000;

/**
 * Memories of users, across all of their sessions.
 *
 * Ownership: every call takes the owner's DID and sees only that owner's memories.
 * Search: finds memories with any word of the query in title or content, case-insensitively. More matches, and matches closer
 * together, rank higher.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export interface RecallStore {
  /** `full`: the user has `memoryLimit` memories. Concurrent calls may exceed the limit by one each. */
  add(ownerDid: string, memory: Memory): Promise<'added' | 'full'>;
  search(ownerDid: string, query: string, limit: number): Promise<Memory[]>;
  /** Undefined if the owner has no such memory. */
  find(ownerDid: string, memoryId: string): Promise<Memory | undefined>;
  /** Newest first. `total` counts all of the owner's memories. */
  list(ownerDid: string, page: { limit: number; offset: number }): Promise<{ memories: Memory[]; total: number }>;
  /** False if the owner has no such memory. */
  remove(ownerDid: string, memoryId: string): Promise<boolean>;
  /** Deletes all memories of the owner. Returns their number. */
  removeAll(ownerDid: string): Promise<number>;
}

/** A search ranks all memories of a user, up to 20 MB, so one search per user and two per process run at a time. */
const searchPool: FairSemaphoreOptions<'user' | 'address'> = {
  name: 'searches',
  total: 2,
  shares: { user: 1, address: 1 },
  waiting: { total: 40, perHolder: 4 },
};

/** Requester of a search: a DID, and the `addressKey` of the request if known. */
export interface Searcher {
  readonly did: string;
  readonly address?: string | undefined;
}

export type LimitedSearch = (user: Searcher, query: string, limit: number) => ReturnType<RecallStore['search']>;

/**
 * The search of memories, within a pool that routes and tools share. Rejects with a ServiceError if the user, the address or the
 * process has reached its limit.
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

/** A memory as returned to clients and the model. */
export function recalled({ memoryId, createdAt, ...memory }: Memory): MemoryRecord {
  return { id: memoryId, ...memory, createdAt: createdAt.toISOString() };
}
