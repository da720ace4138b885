import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { siblingsOf } from './branches.js';
import type { OracleDatabase } from './database.js';
import { beginsBranch, messageColumns, messages, sessions } from './schema.js';
import type { ConversationStore, PlacedMessage } from './sessions.js';
import { isStorable, withoutNulls } from './storable.js';

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

type BranchStore = Pick<ConversationStore, 'findQuestion' | 'branchTips' | 'selectBranch' | 'siblings'>;

/** Branch methods of a conversation store. */
export function sqlBranches(db: OracleDatabase): BranchStore {
  const ofSession = (ownerDid: string, sessionId: string) =>
    and(eq(messages.sessionId, sessionId), eq(messages.ownerDid, ownerDid));
  const placed = { ...messageColumns, place: messages.position };
  return {
    async findQuestion(ownerDid, sessionId, messageId) {
      if (!isStorable(sessionId) || !isStorable(messageId)) return undefined;
      const turn = db
        .select({ turnId: messages.turnId })
        .from(messages)
        .where(and(ofSession(ownerDid, sessionId), eq(messages.messageId, messageId)));
      const [row] = await db
        .select(placed)
        .from(messages)
        .where(and(ofSession(ownerDid, sessionId), eq(messages.type, 'human'), eq(messages.turnId, turn)))
        .orderBy(messages.position)
        .limit(1);
      return row && (withoutNulls(row) as PlacedMessage);
    },

    async branchTips(ownerDid, sessionId) {
      if (!isStorable(sessionId)) return [];
      const id = sql`${messages.branch} ->> 'id'`;
      const rows = await db
        .selectDistinctOn([id], placed)
        .from(messages)
        .where(and(ofSession(ownerDid, sessionId), eq(messages.type, 'human')))
        .orderBy(id, desc(messages.position));
      return rows.map((row) => withoutNulls(row) as PlacedMessage).sort((a, b) => b.place - a.place);
    },

    async selectBranch(ownerDid, sessionId, branch) {
      if (!isStorable(sessionId)) return false;
      const selected = await db
        .update(sessions)
        .set({ branch })
        .where(and(eq(sessions.ownerDid, ownerDid), eq(sessions.sessionId, sessionId)))
        .returning({ sessionId: sessions.sessionId });
      return selected.length > 0;
    },

    async siblings(ownerDid, sessionId) {
      if (!isStorable(sessionId)) return new Map();
      const { messageId, turnId, type, branch } = messages;
      const forks = await db
        .select({ turnId, insteadOf: sql<string>`${branch} ->> 'insteadOf'` })
        .from(messages)
        .where(and(ofSession(ownerDid, sessionId), beginsBranch(messages)));
      if (forks.length === 0) return new Map();
      const turnIds = [...new Set(forks.flatMap((fork) => [fork.turnId, fork.insteadOf]))];
      const rows = await db
        .select({ messageId, turnId, type, branch })
        .from(messages)
        .where(and(ofSession(ownerDid, sessionId), inArray(turnId, turnIds)))
        .orderBy(messages.position);
      return siblingsOf(rows);
    },
  };
}
