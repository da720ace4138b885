import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { MessageSearch } from './message-search.js';
import type { StaleOracleDatabase } from './oracle-database.js';
import { beginsBranch, messages, sessions, wordsOf } from './schema.js';
import { storableText } from './storable.js';
import { withoutNulls } from './without-nulls.js';

/** What of a long message is looked through for its snippet. */
const snippetChars = 50_000;

/** Messages in Postgres or PGlite, found by full-text search. */
export function sqlMessageSearch(db: StaleOracleDatabase): MessageSearch {
  return {
    async search(ownerDid, query, { limit, before }) {
      const wanted = sql`websearch_to_tsquery('simple', ${storableText(query)})`;
      const isBefore = before === undefined ? undefined : lt(messages.position, before);
      // What is said again only to be answered again is found where it was said first.
      const isAgain = sql`${messages.branch} ->> 'again' is not null and ${beginsBranch(messages)}`;
      const isFound = and(
        eq(messages.ownerDid, ownerDid),
        isBefore,
        sql`(${isAgain}) is not true`,
        sql`numnode(${wanted}) > 0`,
      );
      // The fence has both indexes asked at once. Without it, reading from the newest on may seem cheaper, word by word.
      const found = sql`(select ${messages.sessionId}, ${messages.messageId} from ${messages}
      where ${isFound} and ${wordsOf(messages.content)} @@ ${wanted} offset 0) as found`;
      const { sessionId, messageId, type, createdAt, position } = messages;
      const snippet = sql<string>`ts_headline('simple', left(${messages.content}, ${snippetChars}::int), ${wanted},
          'StartSel="", StopSel="", MaxFragments=2, MinWords=5, MaxWords=25, FragmentDelimiter=" … "')`;
      const rows = await db
        .select({ sessionId, title: sessions.title, messageId, type, createdAt, position, snippet })
        .from(found)
        .innerJoin(messages, sql`(${sessionId}, ${messageId}) = (found.session_id, found.message_id)`)
        .innerJoin(sessions, eq(sessions.sessionId, sessionId))
        .orderBy(desc(position))
        .limit(limit);
      return rows.map(withoutNulls);
    },
  };
}
