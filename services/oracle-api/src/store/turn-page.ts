import { and, asc, desc, eq, gt, inArray, lt, min, sql } from 'drizzle-orm';
import type { BriefOracleDatabase } from './database.js';
import { messageColumns, messages } from './schema.js';
import type { TurnPage, TurnRange } from './sessions.js';
import { isTurnOn, selectedBranch } from './sql-branches.js';
import { withoutNulls } from './storable.js';

/** Size limit of a page: UTF-8 bytes of its messages, and stored bytes of their calls. A page has at least one turn. */
const pageBytes = 4 * 1024 * 1024;

/** The turns of a session with their places and branches. The place of a turn is that of its first message. */
function turnPlaces(db: BriefOracleDatabase, ownerDid: string, sessionId: string) {
  return db.$with('turns').as(
    db
      .select({
        turnId: messages.turnId,
        place: min(messages.position).as('place'),
        branch: sql`max(${messages.branch}::text)::jsonb`.as('turn_branch'),
        // Reads only the sizes, not the values.
        bytes: sql`sum(octet_length(${messages.content}) + coalesce(pg_column_size(${messages.toolCalls}), 0))`
          .mapWith(Number)
          .as('turn_bytes'),
      })
      .from(messages)
      .where(and(eq(messages.sessionId, sessionId), eq(messages.ownerDid, ownerDid)))
      .groupBy(messages.turnId),
  );
}

/** A page of whole turns, read with one extra turn to detect more; fewer turns if they are long. */
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

/** The first turns that fit into a page, at least one. */
function withinBytes<Turn extends { readonly bytes: number }>(turns: readonly Turn[]): Turn[] {
  let bytes = 0;
  return turns.filter((turn, index) => {
    bytes += turn.bytes;
    return index === 0 || bytes <= pageBytes;
  });
}

const prefix = 't1.';

/** An opaque cursor for a turn. */
export function cursorOf(turnId: string): string {
  return Buffer.from(prefix + turnId).toString('base64url');
}

/** The turn of a cursor; undefined for an invalid one. */
export function turnOf(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const turnId = text.slice(prefix.length);
  return text.startsWith(prefix) && cursorOf(turnId) === cursor && !turnId.includes('\u0000') ? turnId : undefined;
}
