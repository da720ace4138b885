import { desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { StaleOracleDatabase } from './database.js';
import { beginsBranch, messages, sessions, wordsOf } from './schema.js';
import type { StoredMessage } from './sessions.js';
import { storableText, withoutNulls } from './storable.js';

/** A message that was found. */
export interface FoundMessage extends Pick<StoredMessage, 'messageId' | 'type' | 'createdAt'> {
  readonly sessionId: string;
  /** Absent until its session has been given one. */
  readonly title?: string;
  /** Some of its words around those that were looked for, as plain text. */
  readonly snippet: string;
  /** Messages that were added later have greater ones. */
  readonly position: number;
}

/**
 * Finds messages by their words, over all sessions of their owner.
 *
 * Ownership: sees only what is that owner's.
 * Words: a message is found that has all words of the query, in whatever case; `"so"` in that order, `or` either, `-` not. Any
 * text is a query; one without a word finds nothing.
 * Branches: those of all branches; a message that was answered more than once is found once.
 * Order: the newest first.
 * Failure: an unavailable store rejects.
 */
export interface MessageSearch {
  /** @param range at most `limit`, and with `before` only those of smaller positions */
  search(
    ownerDid: string,
    query: string,
    range: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<FoundMessage[]>;
}

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

/** Words of a snippet before the first hit, and in all. */
const shownWords = { before: 5, total: 40 };
/** A longer word is cut. */
const wordChars = 60;

/** The words of a text around the first that begins as one of `words` does (lower case); its beginning where there is none. One line, plain text. */
export function snippetOf(text: string, words: readonly string[]): string {
  const all = text.split(/\s+/).filter((word) => word !== '');
  const plain = (word: string) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+/u, '');
  const hit = all.findIndex((word) => words.some((one) => plain(word).startsWith(one)));
  const from = Math.max(0, hit - shownWords.before);
  const shown = all.slice(from, from + shownWords.total).map((word) => word.slice(0, wordChars));
  return shown.join(' ');
}
