import { and, eq, exists, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm';
import { runs } from '../runs/schema.js';
import { forgottenTurns, type MessageRetention } from './message-retention.js';
import type { OracleDatabase } from './oracle-database.js';
import { branchSummaries, conversationSummaries, messages, sessions } from './schema.js';
import { fromNow } from './sql-from-now.js';

/** Of the advisory locks of the database, the one of who lets go of old messages. */
const retentionLock = 1_936_029_044;

/** Old messages in Postgres or PGlite. */
export function sqlMessageRetention(db: OracleDatabase): MessageRetention {
  return {
    forgetOld: (ageMs) =>
      db.transaction(async (tx) => {
        const isMine = sql<boolean>`pg_try_advisory_xact_lock(${retentionLock})`;
        const [lock] = await tx.select({ isMine }).from(sql`(select 1) as one`);
        if (lock?.isMine !== true) return false;
        const isLive = or(isNull(runs.endedAt), eq(runs.status, 'waiting'));
        const liveRun = tx
          .select({ runId: runs.runId })
          .from(runs)
          .where(and(eq(runs.runId, messages.turnId), isLive));
        const old = await tx
          .select({ sessionId: messages.sessionId, turnId: messages.turnId, position: messages.position })
          .from(messages)
          .where(and(eq(messages.type, 'human'), lt(messages.createdAt, fromNow(-ageMs)), notExists(liveRun)))
          .limit(forgottenTurns);
        if (old.length === 0) return false;
        const sessionIds = [...new Set(old.map(({ sessionId }) => sessionId))];
        const turnIds = old.map(({ turnId }) => turnId);
        // Sessions first, as in every other transaction that takes more than one of these.
        await tx
          .select({ sessionId: sessions.sessionId })
          .from(sessions)
          .where(inArray(sessions.sessionId, sessionIds))
          .orderBy(sessions.sessionId)
          .for('update');
        for (const summaries of [conversationSummaries, branchSummaries]) {
          const covered = tx
            .select({ turnId: messages.turnId })
            .from(messages)
            .where(
              and(
                eq(messages.sessionId, summaries.sessionId),
                inArray(messages.turnId, turnIds),
                sql`${messages.position} <= ${summaries.upTo}`,
              ),
            );
          await tx.delete(summaries).where(and(inArray(summaries.sessionId, sessionIds), exists(covered)));
        }
        await tx.delete(runs).where(inArray(runs.runId, turnIds));
        await tx
          .delete(messages)
          .where(and(inArray(messages.sessionId, sessionIds), inArray(messages.turnId, turnIds)));
        const left = (of: typeof messages | typeof runs) =>
          tx.select({ one: sql`1` }).from(of).where(eq(of.sessionId, sessions.sessionId));
        await tx
          .delete(sessions)
          .where(
            and(
              inArray(sessions.sessionId, sessionIds),
              lt(sessions.lastUpdatedAt, fromNow(-ageMs)),
              notExists(left(messages)),
              notExists(left(runs)),
            ),
          );
        return old.length === forgottenTurns;
      }),
  };
}
