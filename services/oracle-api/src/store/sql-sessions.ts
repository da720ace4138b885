import {
  and,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  notExists,
  or,
  type Placeholder,
  sql,
} from 'drizzle-orm';
import type { BriefOracleDatabase, OracleDatabase } from './database.js';
import { messageAdder, upToStatement } from './messages.js';
import { messageColumns, messages, runs, sessions } from './schema.js';
import type { ConversationStore, NewSession, StoredSession } from './sessions.js';
import { sqlBranches } from './sql-branches.js';
import { isStorable, storableJson, storableText, withoutNulls } from './storable.js';
import { pageOfTurns } from './turn-page.js';

const { ownerDid: _owner, ...sessionColumns } = getTableColumns(sessions);

/** Conversations in Postgres or PGlite. */
export function sqlConversationStore(db: OracleDatabase, brief: BriefOracleDatabase = db): ConversationStore {
  // Statements of every turn are prepared once, because building them costs more than running them.
  const addMessage = messageAdder(db);
  const findSession = findStatement(db);
  const upToStatements = { first: upToStatement(db, 'first'), last: upToStatement(db, 'last') };
  return {
    ...sqlBranches(db),

    createSession: (ownerDid, session) => insertSession(db, ownerDid, session),

    createSessionUpTo: (most, ownerDid, session) =>
      db.transaction(async (tx) => {
        await lockCreation(tx, ownerDid);
        const own = tx
          .select({ id: sessions.sessionId })
          .from(sessions)
          .where(eq(sessions.ownerDid, ownerDid))
          .limit(most);
        const [counted] = await tx.select({ had: count() }).from(own.as('own'));
        const hasRoom = (counted?.had ?? 0) < most || (await replaceOne(tx, ownerDid));
        return hasRoom ? insertSession(tx, ownerDid, session) : 'full';
      }),

    async findSession(ownerDid, sessionId) {
      if (!isStorable(sessionId)) return undefined;
      const [row] = await findSession.execute({ ownerDid, sessionId });
      return row && withoutNulls(row);
    },

    async listSessions(ownerDid, { limit, offset, archived = false }) {
      const isListed = and(eq(sessions.ownerDid, ownerDid), (archived ? isNotNull : isNull)(sessions.archivedAt));
      const [rows, total] = await Promise.all([
        db
          .select(sessionColumns)
          .from(sessions)
          .where(isListed)
          .orderBy(desc(sessions.lastUpdatedAt), desc(sessions.sessionId))
          .limit(limit)
          .offset(offset),
        db.$count(sessions, isListed),
      ]);
      return { sessions: rows.map(withoutNulls), total };
    },

    async deleteSession(ownerDid, sessionId) {
      if (!isStorable(sessionId)) return false;
      const deleted = await db.delete(sessions).where(owned(ownerDid, sessionId)).returning(sessionColumns);
      return deleted.length > 0;
    },

    async setFirstTitle(ownerDid, sessionId, title, at) {
      if (!isStorable(sessionId)) return false;
      const updated = await db
        .update(sessions)
        .set({
          title,
          lastUpdatedAt: sql`greatest(${sessions.lastUpdatedAt}, ${at.toISOString()}::timestamptz)`,
        })
        .where(and(owned(ownerDid, sessionId), isNull(sessions.title)))
        .returning({ sessionId: sessions.sessionId });
      return updated.length > 0;
    },

    async changeSession(ownerDid, sessionId, { title, archivedAt }) {
      if (!isStorable(sessionId)) return undefined;
      const isOwners = title !== undefined || archivedAt === null;
      const isSince = archivedAt && sql`coalesce(${sessions.archivedAt}, ${archivedAt.toISOString()}::timestamptz)`;
      const [row] = await db
        .update(sessions)
        .set({
          // Every column is set: unchanged ones to their current value.
          title: title === undefined ? sql`${sessions.title}` : storableText(title),
          ...(archivedAt === undefined ? {} : { archivedAt: isSince ?? null }),
          ...(isOwners ? { isReplaceable: null } : {}),
        })
        .where(owned(ownerDid, sessionId))
        .returning(sessionColumns);
      return row && withoutNulls(row);
    },

    addMessage: async (ownerDid, sessionId, message) =>
      isStorable(sessionId) ? addMessage(ownerDid, sessionId, message) : 'absent',

    async findMessage(ownerDid, sessionId, messageId) {
      if (!isStorable(sessionId) || !isStorable(messageId)) return undefined;
      const isIt = and(eq(messages.sessionId, sessionId), eq(messages.messageId, messageId));
      const [row] = await db
        .select(messageColumns)
        .from(messages)
        .where(and(isIt, eq(messages.ownerDid, ownerDid)));
      return row && withoutNulls(row);
    },

    async replaceAnswer(ownerDid, sessionId, { messageId, turnId, ...message }, before) {
      if (!isStorable(sessionId)) return false;
      const {
        content,
        toolCalls = null,
        components = null,
        reasoning = null,
        status = null,
        finishReason = null,
      } = message;
      const isAnswer = and(eq(messages.messageId, messageId), eq(messages.turnId, turnId), eq(messages.type, 'ai'));
      const isUnchanged = before && eq(messages.toolCalls, [...before]);
      const replaced = await db
        .update(messages)
        .set(storableJson({ content, toolCalls, components, reasoning, status, finishReason }))
        .where(and(eq(messages.ownerDid, ownerDid), eq(messages.sessionId, sessionId), isAnswer, isUnchanged))
        .returning({ messageId: messages.messageId });
      return replaced.length > 0;
    },

    async newestMessages(ownerDid, sessionId, limit) {
      if (!isStorable(sessionId)) return [];
      const rows = await upToStatements.last.execute({ ownerDid, sessionId, upTo: null, limit, after: 0 });
      return rows.reverse().map(({ place: _place, ...row }) => withoutNulls(row));
    },

    async messagesUpTo(ownerDid, sessionId, upTo, { limit, after }) {
      const statement = upToStatements[after === undefined ? 'last' : 'first'];
      const rows = await statement.execute({ ownerDid, sessionId, upTo, limit, after: after ?? 0 });
      const placed = rows.map(withoutNulls);
      return after === undefined ? placed.reverse() : placed;
    },

    pageOfTurns: (ownerDid, sessionId, range) =>
      pageOfTurns(brief, ownerDid, isStorable(sessionId) ? sessionId : '', range),
  };
}

/** Namespace of the advisory locks for creating sessions. */
const creationLocks = 1_936_029_043;

/** Held to the end of the transaction, so that counting, creating and deleting sessions is serial per owner. */
export async function lockCreation(tx: Pick<OracleDatabase, 'execute'>, ownerDid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${creationLocks}, hashtext(${ownerDid}))`);
}

/** Deletes the replaceable session with the oldest activity. False without one. */
async function replaceOne(tx: Pick<OracleDatabase, 'select' | 'delete'>, ownerDid: string): Promise<boolean> {
  const isLive = or(isNull(runs.endedAt), eq(runs.status, 'waiting'));
  const liveRun = tx
    .select({ one: sql`1` })
    .from(runs)
    .where(and(eq(runs.sessionId, sessions.sessionId), isLive));
  const anyMessage = tx.select({ one: sql`1` }).from(messages).where(eq(messages.sessionId, sessions.sessionId));
  const oldest = tx
    .select({ sessionId: sessions.sessionId })
    .from(sessions)
    .where(
      and(eq(sessions.ownerDid, ownerDid), eq(sessions.isReplaceable, true), exists(anyMessage), notExists(liveRun)),
    )
    .orderBy(sessions.lastUpdatedAt, sessions.sessionId)
    .limit(1)
    .for('update');
  const deleted = await tx.delete(sessions).where(inArray(sessions.sessionId, oldest)).returning(sessionColumns);
  return deleted.length > 0;
}

async function insertSession(
  db: Pick<OracleDatabase, 'insert'>,
  ownerDid: string,
  session: NewSession,
): Promise<StoredSession> {
  const { createdAt } = session;
  await db.insert(sessions).values({ ...session, ownerDid, lastUpdatedAt: createdAt });
  return { ...session, lastUpdatedAt: createdAt };
}

function findStatement(db: OracleDatabase) {
  const isFound = owned(sql.placeholder('ownerDid'), sql.placeholder('sessionId'));
  return db.select(sessionColumns).from(sessions).where(isFound).prepare('find_session');
}

function owned(ownerDid: string | Placeholder, sessionId: string | Placeholder) {
  return and(eq(sessions.ownerDid, ownerDid), eq(sessions.sessionId, sessionId));
}
