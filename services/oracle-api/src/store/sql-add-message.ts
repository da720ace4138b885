import type { SqlDatabase } from '@mlango/service-kit/database';
import { sql } from 'drizzle-orm';
import type { AddMessageResult, StoredMessage } from './conversation-store.js';
import type * as schema from './schema.js';
import { messages, sessions } from './schema.js';
import { storableJson } from './storable.js';

/**
 * Adds a message to a session of this owner and moves the session's activity, in one statement and one round trip: every
 * turn does this twice, so the statement is put together once.
 */
export function messageAdder(db: SqlDatabase<typeof schema>) {
  const statement = addStatement(db);
  return async (ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult> => {
    const { messageId, turnId, type, content, toolCalls, reasoning, attachments, createdAt } = message;
    const [row] = await statement.execute({
      ownerDid,
      sessionId,
      messageId,
      turnId,
      type,
      content,
      toolCalls: jsonOf(toolCalls),
      reasoning: reasoning ?? null,
      attachments: jsonOf(attachments),
      at: createdAt.toISOString(),
    });
    if (row?.isAdded === true) return 'added';
    return row?.isDuplicate === true ? 'duplicate' : 'absent';
  };
}

function addStatement(db: SqlDatabase<typeof schema>) {
  const [ownerDid, sessionId, messageId] = [
    placeholder('ownerDid'),
    placeholder('sessionId'),
    placeholder('messageId'),
  ];
  const at = sql`${placeholder('at')}::timestamptz`;
  const isThere = sql`exists (select 1 from ${messages} where ${messages.sessionId} = ${sessionId}
    and ${messages.messageId} = ${messageId} and ${messages.ownerDid} = ${ownerDid})`;
  // The update locks the session, so that messages get their places in the order in which they are added.
  const locked = db.$with('locked', { sessionId: sessions.sessionId }).as(
    sql`update ${sessions} set last_updated_at = greatest(${sessions.lastUpdatedAt}, ${at})
      where ${sessions.ownerDid} = ${ownerDid} and ${sessions.sessionId} = ${sessionId} and not ${isThere}
      returning ${sessions.sessionId}`,
  );
  const added = db.$with('added', { messageId: messages.messageId }).as(
    sql`insert into ${messages} (session_id, message_id, owner_did, turn_id, type, content, tool_calls, reasoning,
        attachments, created_at)
      select session_id, ${messageId}, ${ownerDid}, ${placeholder('turnId')}, ${placeholder('type')},
        ${placeholder('content')}, ${placeholder('toolCalls')}::jsonb, ${placeholder('reasoning')}::text,
        ${placeholder('attachments')}::jsonb, ${at} from locked
      on conflict (session_id, message_id) do nothing returning ${messages.messageId}`,
  );
  return db
    .with(locked, added)
    .select({
      isAdded: sql<boolean>`exists (select 1 from added)`,
      // One that was being added at the same moment is seen only by the insert.
      isDuplicate: sql<boolean>`${isThere} or exists (select 1 from locked)`,
    })
    .from(sql`(select 1) as one`)
    .prepare('add_message');
}

const placeholder = (name: string) => sql.placeholder(name);

function jsonOf(value: readonly object[] | undefined): string | null {
  return value === undefined ? null : JSON.stringify(storableJson(value));
}
