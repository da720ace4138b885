import { desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { type StaleOracleDatabase, storableText, withoutNulls } from './database.js';
import { beginsBranch, messages, sessions, wordsOf } from './schema.js';
import type { StoredMessage } from './sessions.js';

/** A message that was found. */
export interface FoundMessage extends Pick<StoredMessage, 'messageId' | 'type' | 'createdAt'> {
  readonly sessionId: string;
  /** Absent until the session has a title. */
  readonly title?: string;
  /** Words around the search hit, as plain text. */
  readonly snippet: string;
  /** Increases with insertion. */
  readonly position: number;
}

/** Characters of a message that are indexed, and searched for the first hit. */
const searchedChars = 50_000;
/** Characters of a message that are read for its snippet: before the first hit, and in total. */
const snippetWindow = { before: 200, chars: 1_000 };
/** Maximum query words for finding the first hit. */
const wordsLookedFor = 8;

/**
 * Full-text search of messages in all sessions of their owner.
 * Ownership: returns only that owner's messages.
 * Words: all words of the query, in any case; `"so"` phrase, `or` either, `-` not. Any text is a valid query; one without a word finds
 * nothing.
 * Branches: searches all branches; a message that was answered more than once is found once.
 * Order: newest first.
 * Failure: an unavailable store rejects.
 * The cost of a page depends on its size, not on the number of matches.
 */
export class MessageSearch {
  readonly #db: StaleOracleDatabase;

  constructor(db: StaleOracleDatabase) {
    this.#db = db;
  }

  /** @param range at most `limit`, and with `before` only smaller positions */
  async search(
    ownerDid: string,
    query: string,
    { limit, before }: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<FoundMessage[]> {
    const wanted = sql`websearch_to_tsquery('simple', ${storableText(query)})`;
    const isBefore = before === undefined ? sql`true` : lt(messages.position, before);
    // A message that was resent only for another answer is found at its first position.
    const isRepeated = sql`${messages.branch} ->> 'again' is not null and ${beginsBranch(messages)}`;
    // `offset 0` makes Postgres use both indexes. Without it, the planner may scan from the newest message on and parse each one.
    const found = sql`(select ${messages.sessionId}, ${messages.messageId}, ${messages.position} from ${messages}
        where ${eq(messages.ownerDid, ownerDid)} and ${isBefore} and (${isRepeated}) is not true and numnode(${wanted}) > 0
        and ${wordsOf(messages.content)} @@ ${wanted} offset 0)`;
    const page = sql`(select * from ${found} as found order by position desc limit ${limit}) as page`;
    const words = positiveWords(query);
    const { sessionId, messageId, type, createdAt, position } = messages;
    const part = sql<string>`substr(${messages.content},
        greatest(1, ${firstHit(words)} - ${snippetWindow.before}::int), ${snippetWindow.chars}::int)`;
    const rows = await this.#db
      .select({ sessionId, title: sessions.title, messageId, type, createdAt, position, part })
      .from(page)
      .innerJoin(messages, sql`(${sessionId}, ${messageId}) = (page.session_id, page.message_id)`)
      .innerJoin(sessions, eq(sessions.sessionId, sessionId))
      .orderBy(desc(position));
    return rows.map(({ part: text, ...row }) => ({ ...withoutNulls(row), snippet: snippetOf(text, words) }));
  }
}

/** Words that a match contains, in lower case. */
function positiveWords(query: string): string[] {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => !term.startsWith('-') && term !== 'or');
  return terms.flatMap((term) => term.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, wordsLookedFor);
}

/** Position of the first word that starts with one of these, else of the first that contains one, else 1. */
function firstHit(words: readonly string[]): SQL {
  const text = sql`lower(left(${messages.content}, ${searchedChars}::int))`;
  const positionsOf = (prefix: string) => words.map((word) => sql`nullif(strpos(${text}, ${prefix + word}), 0)`);
  if (words.length === 0) return sql`1`;
  return sql`coalesce(least(${sql.join(positionsOf(' '), sql`, `)}), least(${sql.join(positionsOf(''), sql`, `)}), 1)`;
}

/** Words of a snippet before the first hit, and in total. */
const shownWords = { before: 5, total: 40 };
/** Longer words are cut. */
const wordChars = 60;

/** The words around the first one that starts with one of `words` (lower case), else the beginning of the text. One line, plain text. */
export function snippetOf(text: string, words: readonly string[]): string {
  const all = text.split(/\s+/).filter((word) => word !== '');
  const plain = (word: string) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+/u, '');
  const hit = all.findIndex((word) => words.some((one) => plain(word).startsWith(one)));
  const from = Math.max(0, hit - shownWords.before);
  const shown = all.slice(from, from + shownWords.total).map((word) => word.slice(0, wordChars));
  return shown.join(' ');
}
