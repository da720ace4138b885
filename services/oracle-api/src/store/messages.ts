import { and, asc, desc, eq, gt, inArray, lt, lte, min, or, type SQL, sql } from 'drizzle-orm';
import { type BriefOracleDatabase, type OracleDatabase, storableJson, withoutNulls } from './database.js';
import { messageColumns, messages, sessions } from './schema.js';
import { isTurnOn, selectedBranch } from './session-branches.js';
import type { AddMessageResult, StoredMessage, TurnPage, TurnRange } from './sessions.js';

const placeholder = (name: string) => sql.placeholder(name);

const ownerDid = placeholder('ownerDid');
const sessionId = placeholder('sessionId');
const messageId = placeholder('messageId');
const at = sql`${placeholder('at')}::timestamptz`;

/**
 * Adds a message to a session of this owner and updates the session's activity, in one statement and one round trip. Every turn does
 * this twice, so the statement is prepared once.
 */
export function messageAdder(db: OracleDatabase) {
  const statement = addStatement(db);
  return async (ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult> => {
    const [row] = await statement.execute({ ownerDid, sessionId, ...messageValues(message) });
    return resultOf(row);
  };
}

/** The result of a statement with `addedMessage`. */
export function resultOf(
  row: { readonly isAdded: boolean; readonly isDuplicate: boolean } | undefined,
): AddMessageResult {
  if (row?.isAdded === true) return 'added';
  return row?.isDuplicate === true ? 'duplicate' : 'absent';
}

/** Placeholder values of a statement with `insertedMessage`. */
export function messageValues({ messageId, turnId, type, content, branch, createdAt, ...more }: StoredMessage) {
  return {
    messageId,
    turnId,
    type,
    content,
    toolCalls: jsonOf(more.toolCalls),
    components: jsonOf(more.components),
    attachments: jsonOf(more.attachments),
    reasoning: more.reasoning ?? null,
    answerStatus: more.status ?? null,
    finishReason: more.finishReason ?? null,
    moves: branch !== undefined,
    branch: branch ? JSON.stringify(branch) : null,
    at: createdAt.toISOString(),
  };
}

/**
 * Updates the activity of the session `sessionId` of `ownerDid`, and selects the branch of a message that names one. No row without such a
 * session. It locks the session, so that messages get their positions in insertion order.
 */
export function lockedSession(db: OracleDatabase, unless: SQL = sql`false`) {
  const { sessionId: id, title, roomId, branch } = sessions;
  const moved = sql`case when ${placeholder('moves')}::boolean then ${placeholder('branch')}::jsonb else ${branch} end`;
  return db.$with('locked', { sessionId: id, title, roomId, branch }).as(
    sql`update ${sessions} set last_updated_at = greatest(${sessions.lastUpdatedAt}, ${at}), branch = ${moved}
      where ${sessions.ownerDid} = ${ownerDid} and ${sessions.sessionId} = ${sessionId} and not ${unless}
      returning ${id}, ${title}, ${roomId}, ${branch}`,
  );
}

/** Adds a message to the session of `lockedSession`, in the same statement. */
export function insertedMessage(db: OracleDatabase, onConflict: SQL = sql``) {
  return db.$with('inserted', { messageId: messages.messageId }).as(
    sql`insert into ${messages} (session_id, message_id, owner_did, turn_id, type, content, tool_calls, components, reasoning,
        status, finish_reason, attachments, created_at, branch)
      select session_id, ${messageId}, ${ownerDid}, ${placeholder('turnId')}, ${placeholder('type')},
        ${placeholder('content')}, ${placeholder('toolCalls')}::jsonb, ${placeholder('components')}::jsonb, ${placeholder('reasoning')}::text,
        ${placeholder('answerStatus')}::text, ${placeholder('finishReason')}::text, ${placeholder('attachments')}::jsonb, ${at},
        case when ${placeholder('type')}::text = 'human' then branch end
      from locked ${onConflict} returning ${messages.messageId}`,
  );
}

/** Adds a message unless it exists, for a statement that returns the result in these columns. */
export function addedMessage(db: OracleDatabase) {
  const isThere = sql`exists (select 1 from ${messages} where ${messages.sessionId} = ${sessionId}
    and ${messages.messageId} = ${messageId} and ${messages.ownerDid} = ${ownerDid})`;
  const locked = lockedSession(db, isThere);
  const added = insertedMessage(db, sql`on conflict (session_id, message_id) do nothing`);
  return {
    steps: [locked, added] as const,
    columns: {
      isAdded: sql<boolean>`exists (select 1 from inserted)`,
      // Only the insert sees a message that is added concurrently.
      isDuplicate: sql<boolean>`${isThere} or exists (select 1 from locked)`,
    },
  };
}

function addStatement(db: OracleDatabase) {
  const { steps, columns } = addedMessage(db);
  return db
    .with(...steps)
    .select(columns)
    .from(sql`(select 1) as one`)
    .prepare('add_message');
}

function jsonOf(value: readonly object[] | undefined): string | null {
  return value === undefined ? null : JSON.stringify(storableJson(value));
}

const upTo = sql.placeholder('upTo');

/**
 * Statement for the first or last messages of the turns after the place `after`, up to and including the turn `upTo`, or with null to the
 * end of the selected branch. Every turn reads the last messages, so the statement is prepared once.
 * The session is scanned once with any plan of Postgres: only selected rows are joined.
 */
export function messagesUpTo(db: OracleDatabase, end: 'first' | 'last') {
  const placed = placedMessages(db);
  const ofLast = (column: typeof placed.place | typeof placed.branch) =>
    sql`(select ${column} from ${placed} where ${placed.turnId} = ${upTo} limit 1)`;
  // The condition is here, because Postgres might otherwise search the session among all messages of its owner.
  const isOwn = eq(placed.ownerDid, ownerDid);
  const isToEnd = sql`${upTo}::text is null`;
  const branch = sql`(case when ${isToEnd} then ${selectedBranch(ownerDid, sessionId)} else ${ofLast(placed.branch)} end)`;
  const isInRange = or(isToEnd, lte(placed.place, ofLast(placed.place)));
  const order = end === 'first' ? asc : desc;
  const chosen = db.$with('chosen').as(
    db
      .select({ sessionId: placed.sessionId, position: placed.position, place: placed.place })
      .from(placed)
      .where(and(isOwn, gt(placed.place, sql.placeholder('after')), isTurnOn(placed, branch), isInRange))
      .orderBy(order(placed.place), order(placed.position))
      .limit(sql.placeholder('limit')),
  );
  return {
    steps: [placed, chosen] as const,
    chosen,
    isChosen: and(eq(messages.sessionId, chosen.sessionId), eq(messages.position, chosen.position)),
    columns: { ...messageColumns, place: chosen.place },
    order: [order(chosen.place), order(messages.position)],
  };
}

/** The messages of a session with the places and the branches of their turns: the place of a turn is that of its first message. */
function placedMessages(db: OracleDatabase) {
  const { sessionId: id, turnId, ownerDid, position } = messages;
  const ofTurn = sql`over (partition by ${turnId})`;
  return db.$with('placed').as(
    db
      .select({
        sessionId: id,
        turnId,
        ownerDid,
        position,
        place: sql`min(${position}) ${ofTurn}`.mapWith(position).as('place'),
        branch: sql`(max(${messages.branch}::text) ${ofTurn})::jsonb`.as('turn_branch'),
      })
      .from(messages)
      .where(eq(messages.sessionId, sessionId)),
  );
}

export function upToStatement(db: OracleDatabase, end: 'first' | 'last') {
  const { steps, chosen, isChosen, columns, order } = messagesUpTo(db, end);
  return db
    .with(...steps)
    .select(columns)
    .from(chosen)
    .innerJoin(messages, isChosen)
    .orderBy(...order)
    .prepare(`${end}_messages_up_to`);
}

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
function cursorOf(turnId: string): string {
  return Buffer.from(prefix + turnId).toString('base64url');
}

/** The turn of a cursor; undefined for an invalid one. */
function turnOf(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const turnId = text.slice(prefix.length);
  return text.startsWith(prefix) && cursorOf(turnId) === cursor && !turnId.includes('\u0000') ? turnId : undefined;
}
