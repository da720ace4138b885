import type { FairSemaphoreOptions } from '@mlango/async/fair-semaphore';
import type { MemoryRecord } from '@mlango/schemas/oracle-memories';
import { admit } from '@mlango/service-kit/shared-pools';
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import { isStorable, storableText, withoutNulls } from '../../store/database.js';
import type { PluginBoot } from '../api/plugin.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { memories } from './schema.js';

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

const { memoryId, kind, title, content, createdAt } = memories;
const memoryColumns = { memoryId, kind, title, content, createdAt };

/**
 * Memories of users, across all of their sessions.
 *
 * Ownership: every call takes the owner's DID and sees only that owner's memories.
 * Search: finds memories with any word of the query in title or content, case-insensitively. More matches, and matches closer
 * together, rank higher.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export class RecallStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** `full`: the user has `memoryLimit` memories. Concurrent calls may exceed the limit by one each. */
  async add(ownerDid: string, { title, content, ...memory }: Memory): Promise<'added' | 'full'> {
    if ((await this.#countOf(ownerDid)) >= memoryLimit) return 'full';
    const texts = { title: title === undefined ? null : storableText(title), content: storableText(content) };
    await this.#db.insert(memories).values({ ...memory, ownerDid, ...texts });
    return 'added';
  }

  async search(ownerDid: string, query: string, limit: number): Promise<Memory[]> {
    // Any of the words may match: `plainto_tsquery` accepts any text, but requires all words.
    const wanted = sql`replace(plainto_tsquery('english', ${storableText(query)})::text, '&', '|')::tsquery`;
    const rows = await this.#db
      .select(memoryColumns)
      .from(memories)
      .where(and(eq(memories.ownerDid, ownerDid), sql`${memories.words} @@ ${wanted}`))
      .orderBy(desc(sql`ts_rank_cd(${memories.words}, ${wanted})`), desc(memories.position))
      .limit(limit);
    return rows.map(withoutNulls);
  }

  /** Undefined if the owner has no such memory. */
  async find(ownerDid: string, id: string): Promise<Memory | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.#db
      .select(memoryColumns)
      .from(memories)
      .where(and(eq(memories.ownerDid, ownerDid), eq(memoryId, id)));
    return row && withoutNulls(row);
  }

  /** Newest first. `total` counts all of the owner's memories. */
  async list(
    ownerDid: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ memories: Memory[]; total: number }> {
    const rows = await this.#db
      .select(memoryColumns)
      .from(memories)
      .where(eq(memories.ownerDid, ownerDid))
      .orderBy(desc(memories.position))
      .limit(limit)
      .offset(offset);
    return { memories: rows.map(withoutNulls), total: await this.#countOf(ownerDid) };
  }

  /** False if the owner has no such memory. */
  async remove(ownerDid: string, id: string): Promise<boolean> {
    return isStorable(id) && (await this.#remove(and(eq(memories.ownerDid, ownerDid), eq(memoryId, id)))) > 0;
  }

  /** Deletes all memories of the owner. Returns their number. */
  removeAll(ownerDid: string): Promise<number> {
    return this.#remove(eq(memories.ownerDid, ownerDid));
  }

  async #countOf(ownerDid: string): Promise<number> {
    const [row] = await this.#db.select({ total: count() }).from(memories).where(eq(memories.ownerDid, ownerDid));
    return row?.total ?? 0;
  }

  async #remove(which: SQL | undefined): Promise<number> {
    const removed = await this.#db.delete(memories).where(which).returning({ memoryId });
    return removed.length;
  }
}
