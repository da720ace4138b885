import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { FoundMessage, MessageSearch } from './message-search.js';
import type * as schema from './schema.js';
import { messages, sessions, wordsOf } from './schema.js';
import { storableText } from './storable.js';

/** What of a long message is looked through for its snippet. */
const snippetChars = 50_000;

/** Messages in Postgres or PGlite, found by full-text search. */
export class SqlMessageSearch implements MessageSearch {
  readonly #db: SqlDatabase<typeof schema>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
  }

  async search(
    ownerDid: string,
    query: string,
    { limit, before }: { limit: number; before?: number | undefined },
  ): Promise<FoundMessage[]> {
    const wanted = sql`websearch_to_tsquery('simple', ${storableText(query)})`;
    const isBefore = before === undefined ? undefined : lt(messages.position, before);
    const isFound = and(eq(messages.ownerDid, ownerDid), isBefore, sql`numnode(${wanted}) > 0`);
    // The fence has both indexes asked at once. Without it, reading from the newest on may seem cheaper, word by word.
    const found = sql`(select ${messages.sessionId}, ${messages.messageId} from ${messages}
      where ${isFound} and ${wordsOf(messages.content)} @@ ${wanted} offset 0) as found`;
    const rows = await this.#db
      .select({
        sessionId: messages.sessionId,
        title: sessions.title,
        messageId: messages.messageId,
        type: messages.type,
        createdAt: messages.createdAt,
        position: messages.position,
        snippet: sql<string>`ts_headline('simple', left(${messages.content}, ${snippetChars}::int), ${wanted},
          'StartSel="", StopSel="", MaxFragments=2, MinWords=5, MaxWords=25, FragmentDelimiter=" … "')`,
      })
      .from(found)
      .innerJoin(messages, sql`(${messages.sessionId}, ${messages.messageId}) = (found.session_id, found.message_id)`)
      .innerJoin(sessions, eq(sessions.sessionId, messages.sessionId))
      .orderBy(desc(messages.position))
      .limit(limit);
    return rows.map(({ title, ...row }) => ({ ...row, ...(title === null ? {} : { title }) }));
  }
}
