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
import {
  type BriefOracleDatabase,
  isStorable,
  type OracleDatabase,
  storableJson,
  storableText,
  withoutNulls,
} from './database.js';
import { messageAdder, pageOfTurns, upToStatement } from './messages.js';
import { messageColumns, messages, runs, sessions } from './schema.js';
import { SessionBranches } from './session-branches.js';
import type {
  AddMessageResult,
  NewSession,
  PlacedMessage,
  SessionChange,
  StoredMessage,
  StoredSession,
  StoredToolCall,
  TurnPage,
  TurnRange,
} from './sessions.js';

const { ownerDid: _owner, ...sessionColumns } = getTableColumns(sessions);

/**
 * Sessions and their messages.
 * Ownership: every call takes the owner's DID and returns only that owner's data. The session of another user is absent, in results
 * and in errors.
 * Order: turns are listed in the order of their first messages. The messages of a turn are listed together, in insertion order, also
 * with equal times.
 * Branches: a session's lists contain its selected branch; lists up to a turn contain that turn's branch. Other branches are unchanged.
 * Adding a user message with a branch selects the branch in the same step.
 * Atomicity: adding a message and updating `lastUpdatedAt` is one step; so is deleting a session with all its messages.
 * `lastUpdatedAt` never decreases.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class ConversationStore extends SessionBranches {
  readonly #db: OracleDatabase;
  readonly #brief: BriefOracleDatabase;
  // Statements of every turn are prepared once, because building them costs more than running them.
  readonly #addMessage: ReturnType<typeof messageAdder>;
  readonly #findSession: ReturnType<typeof findStatement>;
  readonly #firstUpTo: ReturnType<typeof upToStatement>;
  readonly #lastUpTo: ReturnType<typeof upToStatement>;

  constructor(db: OracleDatabase, brief: BriefOracleDatabase = db) {
    super(db);
    this.#db = db;
    this.#brief = brief;
    this.#addMessage = messageAdder(db);
    this.#findSession = findStatement(db);
    this.#firstUpTo = upToStatement(db, 'first');
    this.#lastUpTo = upToStatement(db, 'last');
  }

  createSession(ownerDid: string, session: NewSession): Promise<StoredSession> {
    return insertSession(this.#db, ownerDid, session);
  }

  /**
   * Creates a session for an owner with fewer than `most` sessions, also under concurrency. At the limit it replaces a replaceable
   * session that has messages and no live run; `full` without one.
   */
  createSessionUpTo(most: number, ownerDid: string, session: NewSession): Promise<StoredSession | 'full'> {
    return this.#db.transaction(async (tx) => {
      await lockCreation(tx, ownerDid);
      const own = tx
        .select({ id: sessions.sessionId })
        .from(sessions)
        .where(eq(sessions.ownerDid, ownerDid))
        .limit(most);
      const [counted] = await tx.select({ had: count() }).from(own.as('own'));
      const hasRoom = (counted?.had ?? 0) < most || (await replaceOne(tx, ownerDid));
      return hasRoom ? insertSession(tx, ownerDid, session) : 'full';
    });
  }

  async findSession(ownerDid: string, sessionId: string): Promise<StoredSession | undefined> {
    if (!isStorable(sessionId)) return undefined;
    const [row] = await this.#findSession.execute({ ownerDid, sessionId });
    return row && withoutNulls(row);
  }

  /** Most recently active first, either active or archived sessions. `total` counts all of them. */
  async listSessions(
    ownerDid: string,
    { limit, offset, archived = false }: { limit: number; offset: number; archived?: boolean },
  ): Promise<{ sessions: StoredSession[]; total: number }> {
    const isListed = and(eq(sessions.ownerDid, ownerDid), (archived ? isNotNull : isNull)(sessions.archivedAt));
    const [rows, total] = await Promise.all([
      this.#db
        .select(sessionColumns)
        .from(sessions)
        .where(isListed)
        .orderBy(desc(sessions.lastUpdatedAt), desc(sessions.sessionId))
        .limit(limit)
        .offset(offset),
      this.#db.$count(sessions, isListed),
    ]);
    return { sessions: rows.map(withoutNulls), total };
  }

  /** False when the session is absent. */
  async deleteSession(ownerDid: string, sessionId: string): Promise<boolean> {
    if (!isStorable(sessionId)) return false;
    const deleted = await this.#db.delete(sessions).where(owned(ownerDid, sessionId)).returning(sessionColumns);
    return deleted.length > 0;
  }

  /** Sets the title if the session has none yet; false otherwise. */
  async setFirstTitle(ownerDid: string, sessionId: string, title: string, at: Date): Promise<boolean> {
    if (!isStorable(sessionId)) return false;
    const updated = await this.#db
      .update(sessions)
      .set({
        title,
        lastUpdatedAt: sql`greatest(${sessions.lastUpdatedAt}, ${at.toISOString()}::timestamptz)`,
      })
      .where(and(owned(ownerDid, sessionId), isNull(sessions.title)))
      .returning({ sessionId: sessions.sessionId });
    return updated.length > 0;
  }

  /** Unnamed fields and the activity are unchanged. The first archiving time stays. Undefined without the session. */
  async changeSession(
    ownerDid: string,
    sessionId: string,
    { title, archivedAt }: SessionChange,
  ): Promise<StoredSession | undefined> {
    if (!isStorable(sessionId)) return undefined;
    const isOwners = title !== undefined || archivedAt === null;
    const isSince = archivedAt && sql`coalesce(${sessions.archivedAt}, ${archivedAt.toISOString()}::timestamptz)`;
    const [row] = await this.#db
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
  }

  async addMessage(ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult> {
    return isStorable(sessionId) ? this.#addMessage(ownerDid, sessionId, message) : 'absent';
  }

  async findMessage(ownerDid: string, sessionId: string, messageId: string): Promise<StoredMessage | undefined> {
    if (!isStorable(sessionId) || !isStorable(messageId)) return undefined;
    const isIt = and(eq(messages.sessionId, sessionId), eq(messages.messageId, messageId));
    const [row] = await this.#db
      .select(messageColumns)
      .from(messages)
      .where(and(isIt, eq(messages.ownerDid, ownerDid)));
    return row && withoutNulls(row);
  }

  /**
   * Replaces an answer with its text, calls and components. False when it is absent.
   * @param before calls that the stored answer must have, else false; compared in the same step
   */
  async replaceAnswer(
    ownerDid: string,
    sessionId: string,
    { messageId, turnId, ...message }: StoredMessage,
    before?: readonly StoredToolCall[],
  ): Promise<boolean> {
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
    const replaced = await this.#db
      .update(messages)
      .set(storableJson({ content, toolCalls, components, reasoning, status, finishReason }))
      .where(and(eq(messages.ownerDid, ownerDid), eq(messages.sessionId, sessionId), isAnswer, isUnchanged))
      .returning({ messageId: messages.messageId });
    return replaced.length > 0;
  }

  /** The newest `limit` messages, in ascending order. */
  async newestMessages(ownerDid: string, sessionId: string, limit: number): Promise<StoredMessage[]> {
    if (!isStorable(sessionId)) return [];
    const rows = await this.#lastUpTo.execute({ ownerDid, sessionId, upTo: null, limit, after: 0 });
    return rows.reverse().map(({ place: _place, ...row }) => withoutNulls(row));
  }

  /**
   * Turns up to and including `upTo`, in ascending order: the newest `limit` messages, or with `after` the oldest ones of the turns
   * after that place. Empty when the turn is absent.
   */
  async messagesUpTo(
    ownerDid: string,
    sessionId: string,
    upTo: string,
    { limit, after }: { readonly limit: number; readonly after?: number },
  ): Promise<PlacedMessage[]> {
    const statement = after === undefined ? this.#lastUpTo : this.#firstUpTo;
    const rows = await statement.execute({ ownerDid, sessionId, upTo, limit, after: after ?? 0 });
    const placed = rows.map(withoutNulls);
    return after === undefined ? placed.reverse() : placed;
  }

  /** `unknown_cursor` when the session has no turn for the cursor. */
  pageOfTurns(ownerDid: string, sessionId: string, range: TurnRange): Promise<TurnPage | 'unknown_cursor'> {
    return pageOfTurns(this.#brief, ownerDid, isStorable(sessionId) ? sessionId : '', range);
  }
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
