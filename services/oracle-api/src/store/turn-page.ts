import { and, asc, desc, eq, gt, inArray, lt, min, sql } from 'drizzle-orm';
import type { BriefOracleDatabase } from './database.js';
import { messageColumns, messages } from './schema.js';
import type { TurnPage, TurnRange } from './sessions.js';
import { isTurnOn, selectedBranch } from './sql-branches.js';
import { withoutNulls } from './storable.js';

/** Characters of the messages of a page, in bytes of UTF-8, and bytes of their calls as they are stored. A page has one turn in any case. */
const pageBytes = 4 * 1024 * 1024;

/** The turns of a session with their places and their branches: that of a turn is the place of its first message. */
function turnPlaces(db: BriefOracleDatabase, ownerDid: string, sessionId: string) {
  return db.$with('turns').as(
    db
      .select({
        turnId: messages.turnId,
        place: min(messages.position).as('place'),
        branch: sql`max(${messages.branch}::text)::jsonb`.as('turn_branch'),
        // Neither reads the values themselves.
        bytes: sql`sum(octet_length(${messages.content}) + coalesce(pg_column_size(${messages.toolCalls}), 0))`
          .mapWith(Number)
          .as('turn_bytes'),
      })
      .from(messages)
      .where(and(eq(messages.sessionId, sessionId), eq(messages.ownerDid, ownerDid)))
      .groupBy(messages.turnId),
  );
}

/** A page of whole turns, found by one turn more than it holds; fewer turns where they are long. */
export async function pageOfTurns(
  db: BriefOracleDatabase,
  ownerDid: string,
  sessionId: string,
  range: TurnRange,
): Promise<TurnPage | 'unknown_cursor'> {
  const turns = turnPlaces(db, ownerDid, sessionId);
  const cursor = range.before ?? range.after;
  const isForward = range.after !== undefined;
  let edge: number | undefined;
  if (cursor !== undefined) {
    const [row] = await db
      .with(turns)
      .select()
      .from(turns)
      .where(eq(turns.turnId, turnOf(cursor) ?? ''));
    if (row?.place == null) return 'unknown_cursor';
    edge = row.place;
  }
  const isBeyond = edge === undefined ? undefined : (isForward ? gt : lt)(turns.place, edge);
  const found = await db
    .with(turns)
    .select()
    .from(turns)
    .where(and(isTurnOn(turns, selectedBranch(ownerDid, sessionId)), isBeyond))
    .orderBy(isForward ? asc(turns.place) : desc(turns.place))
    .limit(range.limit + 1);
  const inRange = withinBytes(found.slice(0, range.limit));
  const hasMore = found.length > inRange.length;
  const turnIds = (isForward ? inRange : inRange.toReversed()).map(({ turnId }) => turnId);
  const [first, last] = [turnIds[0], turnIds.at(-1)];
  if (first === undefined || last === undefined) return { messages: [] };
  const rows = await db
    .with(turns)
    .select(messageColumns)
    .from(messages)
    .innerJoin(turns, eq(turns.turnId, messages.turnId))
    .where(and(eq(messages.sessionId, sessionId), eq(messages.ownerDid, ownerDid), inArray(messages.turnId, turnIds)))
    .orderBy(asc(turns.place), asc(messages.position));
  return {
    messages: rows.map(withoutNulls),
    ...((isForward ? edge !== undefined : hasMore) ? { olderCursor: cursorOf(first) } : {}),
    ...((isForward ? hasMore : edge !== undefined) ? { newerCursor: cursorOf(last) } : {}),
  };
}

/** The first turns that have no more bytes together than a page, and the first one however long it is. */
function withinBytes<Turn extends { readonly bytes: number }>(turns: readonly Turn[]): Turn[] {
  let bytes = 0;
  return turns.filter((turn, index) => {
    bytes += turn.bytes;
    return index === 0 || bytes <= pageBytes;
  });
}

const prefix = 't1.';

/** Names a turn to a client that shall not read anything into it. */
export function cursorOf(turnId: string): string {
  return Buffer.from(prefix + turnId).toString('base64url');
}

/** The turn that a cursor names; undefined for text that never was one. */
export function turnOf(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const turnId = text.slice(prefix.length);
  return text.startsWith(prefix) && cursorOf(turnId) === cursor && !turnId.includes('\u0000') ? turnId : undefined;
}
