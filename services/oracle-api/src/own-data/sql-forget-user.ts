import type { SqlDatabase } from '@mlango/service-kit/database';
import { and, asc, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import * as schema from '../store/schema.js';
import { lockCreation } from '../store/sql-conversation-store.js';
import type { ForgottenUser } from './own-data-store.js';
import { sessionIdsOf } from './sql-export-user.js';

const { sessions, messages, conversationSummaries, runs, toolCalls, approvalRules } = schema;
const { preferences, roomPreferences, delegations, pluginState, untoldUsage } = schema;

type Database = SqlDatabase<typeof schema>;

/** Sessions with runs that have not ended, or that wait. */
export async function busySessions(db: Database, did: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ sessionId: runs.sessionId })
    .from(runs)
    .where(and(eq(runs.ownerDid, did), or(isNull(runs.endedAt), eq(runs.status, 'waiting'))));
  return rows.map(({ sessionId }) => sessionId);
}

/** So many messages go in one step, well within the time that a statement has. */
const messagesAtOnce = 5_000;

export async function thinMessages(db: Database, did: string, atOnce = messagesAtOnce): Promise<number> {
  for (let gone = 0; ; ) {
    const part = db
      .select({ sessionId: messages.sessionId, messageId: messages.messageId })
      .from(messages)
      .where(eq(messages.ownerDid, did))
      .orderBy(asc(messages.position))
      .limit(atOnce)
      .offset(atOnce);
    const deleted = await db
      .delete(messages)
      .where(sql`(${messages.sessionId}, ${messages.messageId}) in ${part}`)
      .returning({ position: messages.position });
    if (deleted.length === 0) return gone;
    gone += deleted.length;
  }
}

const stillToCharge = 'You have used this, and it has not been counted yet.';

/** A run has not ended: what was deleted so far is undone. */
class Busy extends Error {}

export async function forgetUser(db: Database, did: string): Promise<ForgottenUser | 'busy'> {
  try {
    return await db.transaction(async (tx) => {
      // No session is made meanwhile, and no message is kept: each waits for the lock of its session, which is gone then.
      await lockCreation(tx, did);
      const own = await tx
        .select({ sessionId: sessions.sessionId })
        .from(sessions)
        .where(eq(sessions.ownerDid, did))
        .for('update');
      const [said] = await tx.select({ total: count() }).from(messages).where(eq(messages.ownerDid, did));
      const [summed] = await tx
        .select({ total: count() })
        .from(conversationSummaries)
        .where(inArray(conversationSummaries.sessionId, sessionIdsOf(tx, did)));
      const [calls] = await tx
        .select({ total: count() })
        .from(toolCalls)
        .innerJoin(runs, eq(runs.runId, toolCalls.runId))
        .where(eq(runs.ownerDid, did));
      const ended = await tx
        .delete(runs)
        .where(eq(runs.ownerDid, did))
        .returning({ runId: runs.runId, endedAt: runs.endedAt });
      if (ended.some(({ endedAt }) => endedAt === null)) throw new Busy();
      await tx.delete(sessions).where(eq(sessions.ownerDid, did));
      const gone = async (
        table:
          | typeof approvalRules
          | typeof preferences
          | typeof roomPreferences
          | typeof delegations
          | typeof pluginState,
      ) => (await tx.delete(table).where(eq(table.ownerDid, did)).returning({ did: table.ownerDid })).length;
      const untold = await tx.$count(untoldUsage, eq(untoldUsage.ownerDid, did));
      return {
        deleted: {
          sessions: own.length,
          messages: said?.total ?? 0,
          summaries: summed?.total ?? 0,
          runs: ended.length,
          'tool-calls': calls?.total ?? 0,
          'approval-rules': await gone(approvalRules),
          preferences: await gone(preferences),
          'room-preferences': await gone(roomPreferences),
          delegations: await gone(delegations),
          'plugin-state': await gone(pluginState),
        },
        kept: untold === 0 ? [] : [{ kind: 'untold-usage', count: untold, why: stillToCharge }],
        sessionIds: own.map(({ sessionId }) => sessionId),
        runIds: ended.map(({ runId }) => runId),
      };
    });
  } catch (error) {
    if (error instanceof Busy) return 'busy';
    throw error;
  }
}
