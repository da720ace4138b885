import { and, eq, exists, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm';
import { fromNow, type OracleDatabase } from './database.js';
import { branchSummaries, conversationSummaries, messages, runs, sessions } from './schema.js';
/** Maximum number of turns deleted at once. */
export const retentionBatchTurns = 200;

/** Advisory lock of the database for retention. */
const retentionLock = 1_936_029_044;

/**
 * Deletes turns past retention.
 * A turn is as old as its first message, and is deleted as a whole, with its run and tool calls. A turn with an unfinished or suspended
 * run stays. A summary that includes a deleted turn is deleted; the remaining turns are summarised again when necessary. An empty session
 * is deleted too.
 * One at a time: of concurrent callers on all replicas one deletes.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class MessageRetention {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  /** Deletes at most `retentionBatchTurns` turns that began longer than `ageMs` ago. True while more may be due. */
  forgetOld(ageMs: number): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
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
      // Sessions are locked first, as in every other transaction with more than one of these tables.
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
      await tx.delete(messages).where(and(inArray(messages.sessionId, sessionIds), inArray(messages.turnId, turnIds)));
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
    });
  }
}
