import { isUniqueViolation } from '@mlango/service-kit/database';
import { and, asc, eq, exists, gt, inArray, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { RunStart } from '../../runs/log/store.js';
import { sourcesOf } from '../../runs/run.js';
import type { Lease } from '../../runs/run-repository.js';
import { runs } from '../../runs/schema.js';
import type { OracleDatabase } from '../../store/database.js';
import { fromNow, storableJson } from '../../store/storable.js';
import { suspendedRuns, toolCalls } from '../schema.js';
import type { SuspendedRunState } from '../turn-request.js';
import type { MeteredTurn } from '../usage.js';
import { storeUnreported } from '../usage-outbox.js';

/** A turn that goes on: the run has this process as its writer now. */
export interface ResumedRun extends RunStart {
  readonly state: SuspendedRunState;
}

/**
 * Turns that wait for their users, in whichever process they began.
 *
 * One writer: a turn that waits has none. Of many that would go on with it one does, and none while another turn of the session
 * runs or one of its calls waits.
 * Failure: an unavailable store rejects; nothing is half done.
 */
export interface SuspendedRuns {
  /** Lets go of a run, which waits from then on. False when the writer does not hold it any more. What is untold is kept as at its end. */
  suspend(run: RunStart, writerId: string, state: SuspendedRunState, untold?: MeteredTurn): Promise<boolean>;
  /** How a run waited last, also once it has gone on; undefined for one that never has. */
  find(runId: string): Promise<SuspendedRunState | undefined>;
  /** Those of whose calls none waits, or only ones that have for too long: the longest first. */
  listDue(limit: number): Promise<string[]>;
  /** Undefined where it need wait on, goes on elsewhere, or another turn of its session runs. */
  resume(runId: string, lease: Lease): Promise<ResumedRun | undefined>;
}

/** Turns that wait, in Postgres or PGlite. */
export function sqlSuspendedRuns(db: OracleDatabase): SuspendedRuns {
  function hasWaiting(which?: SQL) {
    return exists(
      db
        .select({ callId: toolCalls.callId })
        .from(toolCalls)
        .where(and(eq(toolCalls.runId, runs.runId), eq(toolCalls.approval, 'waiting'), which)),
    );
  }

  return {
    suspend({ runId }, writerId, state, untold) {
      const kept = { state: storableJson(state) };
      return db.transaction(async (tx) => {
        await storeUnreported(tx, untold);
        const paused = await tx
          .update(runs)
          .set({ status: 'waiting', endedAt: sql`now()`, partialText: '' })
          .where(
            and(
              eq(runs.runId, runId),
              eq(runs.writerId, writerId),
              inArray(runs.status, sourcesOf('suspend')),
              isNull(runs.endedAt),
            ),
          )
          .returning({ runId: runs.runId });
        if (paused.length === 0) return false;
        await tx
          .insert(suspendedRuns)
          .values({ runId, ...kept })
          .onConflictDoUpdate({ target: suspendedRuns.runId, set: kept });
        return true;
      });
    },

    async find(runId) {
      const [kept] = await db
        .select({ state: suspendedRuns.state })
        .from(suspendedRuns)
        .where(eq(suspendedRuns.runId, runId));
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
          .from(suspendedRuns)
          .where(
            and(
              eq(runs.runId, runId),
              eq(suspendedRuns.runId, runs.runId),
              inArray(runs.status, sourcesOf('resume')),
              not(hasWaiting()),
            ),
          )
          .returning({
            runId: runs.runId,
            ownerDid: runs.ownerDid,
            sessionId: runs.sessionId,
            requestId: runs.requestId,
            state: suspendedRuns.state,
          });
        return resumed;
      } catch (error) {
        if (isUniqueViolation(error, 'runs_one_running_idx')) return undefined;
        throw error;
      }
    },
  };
}
