import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import { isStorable, storableText, withoutNulls } from '../../store/storable.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { memoryLimit, type RecallStore } from './recall-store.js';
import { memories } from './schema.js';

const { memoryId, kind, title, content, createdAt } = memories;
const told = { memoryId, kind, title, content, createdAt };

/** Memories in Postgres or PGlite, found by full-text search. */
export function sqlRecallStore(db: PluginDatabase): RecallStore {
  async function countOf(ownerDid: string): Promise<number> {
    const [row] = await db.select({ total: count() }).from(memories).where(eq(memories.ownerDid, ownerDid));
    return row?.total ?? 0;
  }

  async function remove(which: SQL | undefined): Promise<number> {
    const removed = await db.delete(memories).where(which).returning({ memoryId });
    return removed.length;
  }

  return {
    async add(ownerDid, { title, content, ...memory }) {
      if ((await countOf(ownerDid)) >= memoryLimit) return 'full';
      const texts = { title: title === undefined ? null : storableText(title), content: storableText(content) };
      await db.insert(memories).values({ ...memory, ownerDid, ...texts });
      return 'added';
    },

    async search(ownerDid, query, limit) {
      // Any of the words may match: `plainto_tsquery` accepts any text, but requires all words.
      const wanted = sql`replace(plainto_tsquery('english', ${storableText(query)})::text, '&', '|')::tsquery`;
      const rows = await db
        .select(told)
        .from(memories)
        .where(and(eq(memories.ownerDid, ownerDid), sql`${memories.words} @@ ${wanted}`))
        .orderBy(desc(sql`ts_rank_cd(${memories.words}, ${wanted})`), desc(memories.position))
        .limit(limit);
      return rows.map(withoutNulls);
    },

    async find(ownerDid, id) {
      if (!isStorable(id)) return undefined;
      const [row] = await db
        .select(told)
        .from(memories)
        .where(and(eq(memories.ownerDid, ownerDid), eq(memoryId, id)));
      return row && withoutNulls(row);
    },

    async list(ownerDid, { limit, offset }) {
      const rows = await db
        .select(told)
        .from(memories)
        .where(eq(memories.ownerDid, ownerDid))
        .orderBy(desc(memories.position))
        .limit(limit)
        .offset(offset);
      return { memories: rows.map(withoutNulls), total: await countOf(ownerDid) };
    },

    // The database rejects a query for a value it cannot store.
    remove: async (ownerDid, id) =>
      isStorable(id) && (await remove(and(eq(memories.ownerDid, ownerDid), eq(memoryId, id)))) > 0,

    removeAll: (ownerDid) => remove(eq(memories.ownerDid, ownerDid)),
  };
}
