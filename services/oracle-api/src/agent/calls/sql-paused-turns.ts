import { isUniqueViolation } from '@mlango/service-kit/database';
import { and, asc, eq, exists, gt, isNull, not, type SQL, sql } from 'drizzle-orm';
import { runs } from '../../runs/schema.js';
import type { OracleDatabase } from '../../store/oracle-database.js';
import { fromNow } from '../../store/sql-from-now.js';
import { storableJson } from '../../store/storable.js';
import { keepUntold } from '../after/sql-untold-usage.js';
import { pausedTurns, toolCalls } from '../schema.js';
import type { PausedTurns } from './paused-turns.js';

/** Turns that wait, in Postgres or PGlite. */
export function sqlPausedTurns(db: OracleDatabase): PausedTurns {
  function hasWaiting(which?: SQL) {
    return exists(
      db
        .select({ callId: toolCalls.callId })
        .from(toolCalls)
        .where(and(eq(toolCalls.runId, runs.runId), eq(toolCalls.approval, 'waiting'), which)),
    );
  }

  return {
    pause({ runId }, writerId, state, untold) {
      const kept = { state: storableJson(state) };
      return db.transaction(async (tx) => {
        await keepUntold(tx, untold);
        const paused = await tx
          .update(runs)
          .set({ status: 'waiting', endedAt: sql`now()`, partialText: '' })
          .where(and(eq(runs.runId, runId), eq(runs.writerId, writerId), isNull(runs.endedAt)))
          .returning({ runId: runs.runId });
        if (paused.length === 0) return false;
        await tx
          .insert(pausedTurns)
          .values({ runId, ...kept })
          .onConflictDoUpdate({ target: pausedTurns.runId, set: kept });
        return true;
      });
    },

    async find(runId) {
      const [kept] = await db
        .select({ state: pausedTurns.state })
        .from(pausedTurns)
        .where(eq(pausedTurns.runId, runId));
      return kept?.state;
    },

    async listDue(limit) {
      const due = await db
        .select({ runId: runs.runId })
        .from(runs)
        .where(and(eq(runs.status, 'waiting'), not(hasWaiting(gt(toolCalls.expiresAt, sql`now()`)))))
        .orderBy(asc(runs.endedAt))
        .limit(limit);
      return due.map(({ runId }) => runId);
    },

    async resume(runId, { writerId, leaseMs }) {
      try {
        const [resumed] = await db
          .update(runs)
          .set({ status: 'running', writerId, leaseUntil: fromNow(leaseMs), endedAt: null, stop: null })
          .from(pausedTurns)
          .where(
            and(
              eq(runs.runId, runId),
              eq(pausedTurns.runId, runs.runId),
              eq(runs.status, 'waiting'),
              not(hasWaiting()),
            ),
          )
          .returning({
            runId: runs.runId,
            ownerDid: runs.ownerDid,
            sessionId: runs.sessionId,
            requestId: runs.requestId,
            state: pausedTurns.state,
          });
        return resumed;
      } catch (error) {
        if (isUniqueViolation(error, 'runs_one_running_idx')) return undefined;
        throw error;
      }
    },
  };
}
