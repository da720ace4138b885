import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../../plugin-kit/plugin-tables.js';
import { type Memory, memoryLimit, type RecallStore } from './recall-store.js';
import { memories } from './schema.js';

/** Memories in Postgres or PGlite, found by full-text search. */
export class SqlRecallStore implements RecallStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async add(ownerDid: string, { title, content, ...memory }: Memory): Promise<'added' | 'full'> {
    if ((await this.#count(ownerDid)) >= memoryLimit) return 'full';
    await this.#db.insert(memories).values({
      ...memory,
      ownerDid,
      title: title === undefined ? null : storable(title),
      content: storable(content),
    });
    return 'added';
  }

  async search(ownerDid: string, query: string, limit: number): Promise<Memory[]> {
    // Any of the words will do: `plainto_tsquery` reads them without any syntax, and wants all of them.
    const wanted = sql`replace(plainto_tsquery('english', ${storable(query)})::text, '&', '|')::tsquery`;
    const rows = await this.#db
      .select()
      .from(memories)
      .where(and(eq(memories.ownerDid, ownerDid), sql`${memories.words} @@ ${wanted}`))
      .orderBy(desc(sql`ts_rank_cd(${memories.words}, ${wanted})`), desc(memories.position))
      .limit(limit);
    return rows.map(memoryOf);
  }

  async list(ownerDid: string, { limit, offset }: { limit: number; offset: number }) {
    const rows = await this.#db
      .select()
      .from(memories)
      .where(eq(memories.ownerDid, ownerDid))
      .orderBy(desc(memories.position))
      .limit(limit)
      .offset(offset);
    return { memories: rows.map(memoryOf), total: await this.#count(ownerDid) };
  }

  async remove(ownerDid: string, memoryId: string): Promise<boolean> {
    // The database refuses to look for what it cannot keep.
    if (memoryId !== storable(memoryId)) return false;
    const removed = await this.#db
      .delete(memories)
      .where(and(eq(memories.ownerDid, ownerDid), eq(memories.memoryId, memoryId)))
      .returning({ memoryId: memories.memoryId });
    return removed.length > 0;
  }

  async removeAll(ownerDid: string): Promise<number> {
    const removed = await this.#db
      .delete(memories)
      .where(eq(memories.ownerDid, ownerDid))
      .returning({ memoryId: memories.memoryId });
    return removed.length;
  }

  async #count(ownerDid: string): Promise<number> {
    const [row] = await this.#db.select({ total: count() }).from(memories).where(eq(memories.ownerDid, ownerDid));
    return row?.total ?? 0;
  }
}

function memoryOf({ memoryId, kind, title, content, createdAt }: typeof memories.$inferSelect): Memory {
  return { memoryId, kind, ...(title === null ? {} : { title }), content, createdAt };
}

/** NUL is the one character that the database cannot keep. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '');
}
