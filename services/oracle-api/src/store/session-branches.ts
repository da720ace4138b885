import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Branch, siblingsOf } from './branches.js';
import { isStorable, type OracleDatabase, withoutNulls } from './database.js';
import { beginsBranch, messageColumns, messages, sessions } from './schema.js';
import type { PlacedMessage } from './sessions.js';

/** The selected branch of a session, as JSON; null for the trunk. */
export function selectedBranch(ownerDid: unknown, sessionId: unknown): SQL {
  return sql`(select ${sessions.branch} from ${sessions} where ${sessions.ownerDid} = ${ownerDid} and ${sessions.sessionId} = ${sessionId})`;
}

/** SQL version of `isOnBranch`, for branches in JSON. */
export function isTurnOn(turn: { readonly branch: unknown; readonly place: unknown }, branch: SQL): SQL {
  return sql`(${turn.branch} ->> 'id' is not distinct from ${branch} ->> 'id' or exists (
    select 1 from jsonb_to_recordset(${branch} -> 'path') as part(branch text, before bigint)
    where part.branch is not distinct from ${turn.branch} ->> 'id' and ${turn.place} < part.before))`;
}

function ofSession(ownerDid: string, sessionId: string) {
  return and(eq(messages.sessionId, sessionId), eq(messages.ownerDid, ownerDid));
}

const placed = { ...messageColumns, place: messages.position };

/** The branches of sessions: part of `ConversationStore`. */
export class SessionBranches {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  /** The message that began the turn of a message, with its place. */
  async findQuestion(ownerDid: string, sessionId: string, messageId: string): Promise<PlacedMessage | undefined> {
    if (!isStorable(sessionId) || !isStorable(messageId)) return undefined;
    const turn = this.#db
      .select({ turnId: messages.turnId })
      .from(messages)
      .where(and(ofSession(ownerDid, sessionId), eq(messages.messageId, messageId)));
    const [row] = await this.#db
      .select(placed)
      .from(messages)
      .where(and(ofSession(ownerDid, sessionId), eq(messages.type, 'human'), eq(messages.turnId, turn)))
      .orderBy(messages.position)
      .limit(1);
    return row && (withoutNulls(row) as PlacedMessage);
  }

  /** The last user message of each branch, newest first; empty for a session without messages. */
  async branchTips(ownerDid: string, sessionId: string): Promise<PlacedMessage[]> {
    if (!isStorable(sessionId)) return [];
    const id = sql`${messages.branch} ->> 'id'`;
    const rows = await this.#db
      .selectDistinctOn([id], placed)
      .from(messages)
      .where(and(ofSession(ownerDid, sessionId), eq(messages.type, 'human')))
      .orderBy(id, desc(messages.position));
    return rows.map((row) => withoutNulls(row) as PlacedMessage).sort((a, b) => b.place - a.place);
  }

  /** Selects a branch, or with `null` the trunk. False when the session is absent. */
  async selectBranch(ownerDid: string, sessionId: string, branch: Branch | null): Promise<boolean> {
    if (!isStorable(sessionId)) return false;
    const selected = await this.#db
      .update(sessions)
      .set({ branch })
      .where(and(eq(sessions.ownerDid, ownerDid), eq(sessions.sessionId, sessionId)))
      .returning({ sessionId: sessions.sessionId });
    return selected.length > 0;
  }

  /** Alternatives of each message by its id, as in `siblingsOf`; only messages with alternatives. */
  async siblings(ownerDid: string, sessionId: string): Promise<ReadonlyMap<string, readonly string[]>> {
    if (!isStorable(sessionId)) return new Map();
    const { messageId, turnId, type, branch } = messages;
    const forks = await this.#db
      .select({ turnId, insteadOf: sql<string>`${branch} ->> 'insteadOf'` })
      .from(messages)
      .where(and(ofSession(ownerDid, sessionId), beginsBranch(messages)));
    if (forks.length === 0) return new Map();
    const turnIds = [...new Set(forks.flatMap((fork) => [fork.turnId, fork.insteadOf]))];
    const rows = await this.#db
      .select({ messageId, turnId, type, branch })
      .from(messages)
      .where(and(ofSession(ownerDid, sessionId), inArray(turnId, turnIds)))
      .orderBy(messages.position);
    return siblingsOf(rows);
  }
}
