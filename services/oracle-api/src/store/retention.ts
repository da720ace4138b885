import { and, eq, exists, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm';
import { runs } from '../runs/schema.js';
import type { OracleDatabase } from './database.js';
import { branchSummaries, conversationSummaries, messages, sessions } from './schema.js';
import { fromNow } from './storable.js';
/** Messages that go at once. */
export const retentionBatchTurns = 200;

/**
 * Lets go of what was said too long ago.
 *
 * A turn is as old as the message that began it, and goes as a whole, with its run and the calls of its tools; one whose run has not
 * ended, or waits for its user, stays. A summary that such a turn is in goes with it: what is left is summarised anew when it is
 * needed. So does a session in which nothing is left.
 * One at a time: of many replicas that ask at once one does it.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface MessageRetention {
  /** Lets go of at most `forgottenTurns` turns that began longer than `ageMs` ago. Whether there may be more. */
  forgetOld(ageMs: number): Promise<boolean>;
}

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
          .limit(retentionBatchTurns);
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
        return old.length === retentionBatchTurns;
      }),
  };
}
