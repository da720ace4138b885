import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { OracleDatabase } from '../store/oracle-database.js';
import * as schema from '../store/oracle-schema.js';
import { lockCreation } from '../store/sql-conversation-store.js';
import type { ForgottenUser } from './own-data-store.js';
import { sessionIdsOf } from './sql-export-user.js';

const { sessions, messages, conversationSummaries, branchSummaries, runs, toolCalls, approvalRules } = schema;
const { preferences, roomPreferences, delegations, apiKeys, pluginState, untoldUsage } = schema;

/** Sessions with runs that have not ended, or that wait. */
export async function busySessions(db: OracleDatabase, did: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ sessionId: runs.sessionId })
    .from(runs)
    .where(and(eq(runs.ownerDid, did), or(isNull(runs.endedAt), eq(runs.status, 'waiting'))));
  return rows.map(({ sessionId }) => sessionId);
}

/** So many messages go in one step, well within the time that a statement has. */
const messagesAtOnce = 5_000;

export async function thinMessages(db: OracleDatabase, did: string, atOnce = messagesAtOnce): Promise<number> {
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

export async function forgetUser(db: OracleDatabase, did: string): Promise<ForgottenUser | 'busy'> {
  try {
    return await db.transaction(async (tx) => {
      // No session is made meanwhile, and no message is kept: each waits for the lock of its session, which is gone then.
      await lockCreation(tx, did);
      const own = await tx
        .select({ sessionId: sessions.sessionId })
        .from(sessions)
        .where(eq(sessions.ownerDid, did))
        .for('update');
      const theirs = (of: typeof conversationSummaries | typeof branchSummaries) =>
        inArray(of.sessionId, sessionIdsOf(tx, did));
      const ownRuns = tx.select({ runId: runs.runId }).from(runs).where(eq(runs.ownerDid, did));
      // They go with what they belong to.
      const gone = {
        messages: await tx.$count(messages, eq(messages.ownerDid, did)),
        summaries: await tx.$count(conversationSummaries, theirs(conversationSummaries)),
        'branch-summaries': await tx.$count(branchSummaries, theirs(branchSummaries)),
        'tool-calls': await tx.$count(toolCalls, inArray(toolCalls.runId, ownRuns)),
      };
      const ended = await tx
        .delete(runs)
        .where(eq(runs.ownerDid, did))
        .returning({ runId: runs.runId, endedAt: runs.endedAt });
      if (ended.some(({ endedAt }) => endedAt === null)) throw new Busy();
      await tx.delete(sessions).where(eq(sessions.ownerDid, did));
      const deletedFrom = async (table: PgTable & { readonly ownerDid: PgColumn }) =>
        (await tx.delete(table).where(eq(table.ownerDid, did)).returning({ did: table.ownerDid })).length;
      const untold = await tx.$count(untoldUsage, eq(untoldUsage.ownerDid, did));
      return {
        deleted: {
          sessions: own.length,
          ...gone,
          runs: ended.length,
          'approval-rules': await deletedFrom(approvalRules),
          preferences: await deletedFrom(preferences),
          'room-preferences': await deletedFrom(roomPreferences),
          delegations: await deletedFrom(delegations),
          'api-keys': await deletedFrom(apiKeys),
          'plugin-state': await deletedFrom(pluginState),
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
