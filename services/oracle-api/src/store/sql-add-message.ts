import { type SQL, sql } from 'drizzle-orm';
import type { AddMessageResult, StoredMessage } from './conversation-store.js';
import type { OracleDatabase } from './oracle-database.js';
import { messages, sessions } from './schema.js';
import { storableJson } from './storable.js';

const placeholder = (name: string) => sql.placeholder(name);

const ownerDid = placeholder('ownerDid');
const sessionId = placeholder('sessionId');
const messageId = placeholder('messageId');
const at = sql`${placeholder('at')}::timestamptz`;

/**
 * Adds a message to a session of this owner and moves the session's activity, in one statement and one round trip: every
 * turn does this twice, so the statement is put together once.
 */
export function messageAdder(db: OracleDatabase) {
  const statement = addStatement(db);
  return async (ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult> => {
    const [row] = await statement.execute({ ownerDid, sessionId, ...messageValues(message) });
    return resultOf(row);
  };
}

/** What a statement with `addedMessage` says of the message. */
export function resultOf(
  row: { readonly isAdded: boolean; readonly isDuplicate: boolean } | undefined,
): AddMessageResult {
  if (row?.isAdded === true) return 'added';
  return row?.isDuplicate === true ? 'duplicate' : 'absent';
}

/** What stands in a statement with `insertedMessage` for that message. */
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
 * Moves the activity of the session `sessionId` of `ownerDid`, and selects the branch of a message that names one; no row where there is no such session. It locks the session, so
 * that messages get their places in the order in which they are added.
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

/** Adds a message unless it is there, for a statement that says in these columns what became of it. */
export function addedMessage(db: OracleDatabase) {
  const isThere = sql`exists (select 1 from ${messages} where ${messages.sessionId} = ${sessionId}
    and ${messages.messageId} = ${messageId} and ${messages.ownerDid} = ${ownerDid})`;
  const locked = lockedSession(db, isThere);
  const added = insertedMessage(db, sql`on conflict (session_id, message_id) do nothing`);
  return {
    steps: [locked, added] as const,
    columns: {
      isAdded: sql<boolean>`exists (select 1 from inserted)`,
      // One that was being added at the same moment is seen only by the insert.
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
