import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type {
  AddMessageResult,
  ConversationStore,
  NewSession,
  PlacedMessage,
  SessionChange,
  StoredMessage,
  StoredSession,
  TurnPage,
  TurnRange,
} from './conversation-store.js';
import type * as schema from './schema.js';
import { messages, sessions } from './schema.js';
import { messageAdder } from './sql-add-message.js';
import { messageColumns, toMessage } from './sql-message.js';
import { upToStatement } from './sql-messages-up-to.js';
import { pageOfTurns } from './sql-turn-page.js';
import { isStorable, storableJson, storableText } from './storable.js';

/** Conversations in Postgres or PGlite. */
export class SqlConversationStore implements ConversationStore {
  readonly #db: SqlDatabase<typeof schema>;
  // What every turn asks is put together once: that costs more than the asking.
  readonly #addMessage: ReturnType<typeof messageAdder>;
  readonly #find: ReturnType<typeof findStatement>;
  readonly #upTo: Record<'first' | 'last', ReturnType<typeof upToStatement>>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
    this.#addMessage = messageAdder(db);
    this.#find = findStatement(db);
    this.#upTo = { first: upToStatement(db, 'first'), last: upToStatement(db, 'last') };
  }

  createSession(ownerDid: string, session: NewSession): Promise<StoredSession> {
    return insertSession(this.#db, ownerDid, session);
  }

  createSessionUpTo(most: number, ownerDid: string, session: NewSession): Promise<StoredSession | 'full'> {
    return this.#db.transaction(async (tx) => {
      await lockCreation(tx, ownerDid);
      const own = tx
        .select({ id: sessions.sessionId })
        .from(sessions)
        .where(eq(sessions.ownerDid, ownerDid))
        .limit(most);
      const [counted] = await tx.select({ had: count() }).from(own.as('own'));
      return (counted?.had ?? 0) < most ? insertSession(tx, ownerDid, session) : 'full';
    });
  }

  async findSession(ownerDid: string, sessionId: string): Promise<StoredSession | undefined> {
    if (!isStorable(sessionId)) return undefined;
    const [row] = await this.#find.execute({ ownerDid, sessionId });
    return row === undefined ? undefined : toSession(row);
  }

  async listSessions(ownerDid: string, page: { limit: number; offset: number; archived?: boolean }) {
    const isListed = (page.archived === true ? isNotNull : isNull)(sessions.archivedAt);
    const isOwned = and(eq(sessions.ownerDid, ownerDid), isListed);
    const [rows, [counted]] = await Promise.all([
      this.#db
        .select(sessionColumns)
        .from(sessions)
        .where(isOwned)
        .orderBy(desc(sessions.lastUpdatedAt), desc(sessions.sessionId))
        .limit(page.limit)
        .offset(page.offset),
      this.#db.select({ total: count() }).from(sessions).where(isOwned),
    ]);
    return { sessions: rows.map(toSession), total: counted?.total ?? 0 };
  }

  async deleteSession(ownerDid: string, sessionId: string): Promise<boolean> {
    if (!isStorable(sessionId)) return false;
    const deleted = await this.#db.delete(sessions).where(owned(ownerDid, sessionId)).returning(sessionColumns);
    return deleted.length > 0;
  }

  async setFirstTitle(ownerDid: string, sessionId: string, title: string, at: Date): Promise<boolean> {
    if (!isStorable(sessionId)) return false;
    const updated = await this.#db
      .update(sessions)
      .set({ title, lastUpdatedAt: latest(at) })
      .where(and(owned(ownerDid, sessionId), isNull(sessions.title)))
      .returning({ sessionId: sessions.sessionId });
    return updated.length > 0;
  }

  async changeSession(ownerDid: string, sessionId: string, change: SessionChange): Promise<StoredSession | undefined> {
    if (!isStorable(sessionId)) return undefined;
    const { archivedAt } = change;
    const isSince = archivedAt && sql`coalesce(${sessions.archivedAt}, ${archivedAt.toISOString()}::timestamptz)`;
    const [row] = await this.#db
      .update(sessions)
      .set({
        // A column is always set: to what it is where nothing else is to be changed.
        title: change.title === undefined ? sql`${sessions.title}` : storableText(change.title),
        ...(archivedAt === undefined ? {} : { archivedAt: isSince ?? null }),
      })
      .where(owned(ownerDid, sessionId))
      .returning(sessionColumns);
    return row === undefined ? undefined : toSession(row);
  }

  async addMessage(ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult> {
    if (!isStorable(sessionId)) return 'absent';
    return this.#addMessage(ownerDid, sessionId, message);
  }

  async findMessage(ownerDid: string, sessionId: string, messageId: string): Promise<StoredMessage | undefined> {
    if (!isStorable(sessionId) || !isStorable(messageId)) return undefined;
    const isIt = and(eq(messages.sessionId, sessionId), eq(messages.messageId, messageId));
    const [row] = await this.#db
      .select(messageColumns)
      .from(messages)
      .where(and(isIt, eq(messages.ownerDid, ownerDid)));
    return row === undefined ? undefined : toMessage(row);
  }

  async replaceAnswer(ownerDid: string, sessionId: string, message: StoredMessage): Promise<boolean> {
    if (!isStorable(sessionId)) return false;
    const { messageId, turnId } = message;
    const { content, toolCalls, reasoning, status, finishReason } = storableJson(pick(message));
    const isAnswer = and(eq(messages.messageId, messageId), eq(messages.turnId, turnId), eq(messages.type, 'ai'));
    const replaced = await this.#db
      .update(messages)
      .set({
        content,
        toolCalls: toolCalls ?? null,
        reasoning: reasoning ?? null,
        status: status ?? null,
        finishReason: finishReason ?? null,
      })
      .where(and(eq(messages.ownerDid, ownerDid), eq(messages.sessionId, sessionId), isAnswer))
      .returning({ messageId: messages.messageId });
    return replaced.length > 0;
  }

  async newestMessages(ownerDid: string, sessionId: string, limit: number): Promise<StoredMessage[]> {
    if (!isStorable(sessionId)) return [];
    const rows = await this.#upTo.last.execute({ ownerDid, sessionId, upTo: null, limit, after: 0 });
    return rows.reverse().map(({ place: _place, ...row }) => toMessage(row));
  }

  async messagesUpTo(
    ownerDid: string,
    sessionId: string,
    upTo: string,
    { limit, after }: { limit: number; after?: number },
  ): Promise<PlacedMessage[]> {
    const place = { ownerDid, sessionId, upTo, limit, after: after ?? 0 };
    const rows = await this.#upTo[after === undefined ? 'last' : 'first'].execute(place);
    const placed = rows.map(({ place, ...row }) => ({ ...toMessage(row), place }));
    return after === undefined ? placed.reverse() : placed;
  }

  async pageOfTurns(ownerDid: string, sessionId: string, range: TurnRange): Promise<TurnPage | 'unknown_cursor'> {
    return pageOfTurns(this.#db, ownerDid, isStorable(sessionId) ? sessionId : '', range);
  }
}

const pick = ({ content, toolCalls, reasoning, status, finishReason }: StoredMessage) => ({
  content,
  toolCalls,
  reasoning,
  status,
  finishReason,
});

/** Of the advisory locks of the database, those by which sessions are created. */
const creationLocks = 1_936_029_043;

/** Held to the end of the transaction: of one owner one counts and creates sessions, or deletes them all, at a time. */
export async function lockCreation(tx: Pick<SqlDatabase<typeof schema>, 'execute'>, ownerDid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${creationLocks}, hashtext(${ownerDid}))`);
}

async function insertSession(
  db: Pick<SqlDatabase<typeof schema>, 'insert'>,
  ownerDid: string,
  session: NewSession,
): Promise<StoredSession> {
  const { createdAt } = session;
  await db.insert(sessions).values({ ...session, ownerDid, lastUpdatedAt: createdAt });
  return { ...session, lastUpdatedAt: createdAt };
}

function findStatement(db: SqlDatabase<typeof schema>) {
  const [ownerDid, sessionId] = [sql.placeholder('ownerDid'), sql.placeholder('sessionId')];
  const isFound = and(eq(sessions.ownerDid, ownerDid), eq(sessions.sessionId, sessionId));
  return db.select(sessionColumns).from(sessions).where(isFound).prepare('find_session');
}

const sessionColumns = {
  sessionId: sessions.sessionId,
  title: sessions.title,
  roomId: sessions.roomId,
  createdAt: sessions.createdAt,
  lastUpdatedAt: sessions.lastUpdatedAt,
  archivedAt: sessions.archivedAt,
};

function owned(ownerDid: string, sessionId: string) {
  return and(eq(sessions.ownerDid, ownerDid), eq(sessions.sessionId, sessionId));
}

function latest(at: Date) {
  return sql`greatest(${sessions.lastUpdatedAt}, ${at.toISOString()}::timestamptz)`;
}

function toSession({
  title,
  roomId,
  archivedAt,
  ...row
}: Pick<typeof sessions.$inferSelect, keyof typeof sessionColumns>): StoredSession {
  return {
    ...row,
    ...(title === null ? {} : { title }),
    ...(roomId === null ? {} : { roomId }),
    ...(archivedAt === null ? {} : { archivedAt }),
  };
}
