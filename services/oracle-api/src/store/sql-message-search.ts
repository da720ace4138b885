import { desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { MessageSearch } from './message-search.js';
import type { StaleOracleDatabase } from './oracle-database.js';
import { beginsBranch, messages, sessions, wordsOf } from './schema.js';
import { snippetOf } from './snippet.js';
import { storableText } from './storable.js';
import { withoutNulls } from './without-nulls.js';

/** Characters of a message that are indexed, and searched for the first hit. */
const searchedChars = 50_000;
/** Characters of a message that leave the database for its snippet: before the first hit, and in all. */
const snippetWindow = { before: 200, chars: 1_000 };
/** Words of a query that a first hit is looked for by. */
const wordsLookedFor = 8;

/** Messages in Postgres or PGlite, found by full-text search. The work for a page grows with the page, not with all that is found. */
export function sqlMessageSearch(db: StaleOracleDatabase): MessageSearch {
  return {
    async search(ownerDid, query, { limit, before }) {
      const wanted = sql`websearch_to_tsquery('simple', ${storableText(query)})`;
      const isBefore = before === undefined ? sql`true` : lt(messages.position, before);
      // A message that was sent again only for another answer is found where it was sent first.
      const isAgain = sql`${messages.branch} ->> 'again' is not null and ${beginsBranch(messages)}`;
      // The fence makes Postgres ask both indexes. Without it, reading from the newest message on may seem cheaper, word by word.
      const found = sql`(select ${messages.sessionId}, ${messages.messageId}, ${messages.position} from ${messages}
        where ${eq(messages.ownerDid, ownerDid)} and ${isBefore} and (${isAgain}) is not true and numnode(${wanted}) > 0
        and ${wordsOf(messages.content)} @@ ${wanted} offset 0)`;
      const page = sql`(select * from ${found} as found order by position desc limit ${limit}) as page`;
      const words = positiveWords(query);
      const { sessionId, messageId, type, createdAt, position } = messages;
      const part = sql<string>`substr(${messages.content},
        greatest(1, ${firstHit(words)} - ${snippetWindow.before}::int), ${snippetWindow.chars}::int)`;
      const rows = await db
        .select({ sessionId, title: sessions.title, messageId, type, createdAt, position, part })
        .from(page)
        .innerJoin(messages, sql`(${sessionId}, ${messageId}) = (page.session_id, page.message_id)`)
        .innerJoin(sessions, eq(sessions.sessionId, sessionId))
        .orderBy(desc(position));
      return rows.map(({ part: text, ...row }) => ({ ...withoutNulls(row), snippet: snippetOf(text, words) }));
    },
  };
}

/** Words of a query that a message has, in lower case. */
function positiveWords(query: string): string[] {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => !term.startsWith('-') && term !== 'or');
  return terms.flatMap((term) => term.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, wordsLookedFor);
}

/** The place of the first word that begins as one of these do, else of the first that contains one, else 1. */
function firstHit(words: readonly string[]): SQL {
  const text = sql`lower(left(${messages.content}, ${searchedChars}::int))`;
  const placesOf = (prefix: string) => words.map((word) => sql`nullif(strpos(${text}, ${prefix + word}), 0)`);
  if (words.length === 0) return sql`1`;
  return sql`coalesce(least(${sql.join(placesOf(' '), sql`, `)}), least(${sql.join(placesOf(''), sql`, `)}), 1)`;
}
