import { isUniqueViolation } from '@mlango/service-kit/database';
import { and, asc, eq, exists, gt, inArray, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { RunStart } from '../../runs/log/store.js';
import type { MeteredTurn } from '../../runs/payment.js';
import { sourcesOf, targetOf } from '../../runs/run.js';
import type { Lease } from '../../runs/run-repository.js';
import { storeUnreported } from '../../runs/usage-outbox.js';
import { fromNow, type OracleDatabase, storableJson } from '../../store/database.js';
import { runs } from '../../store/schema.js';
import type { SuspendedRunState } from '../turn-request.js';
import { suspendedRuns, toolCalls } from './schema.js';

/** A resumed run, with this process as its writer. */
export interface ResumedRun extends RunStart {
  readonly state: SuspendedRunState;
}

/**
 * Suspended turns of all processes.
 * One writer: a suspended turn has none. Of concurrent processes one resumes it, and none while another turn of the session runs or one
 * of its calls is pending.
 * Failure: an unavailable store rejects; each call is atomic.
 */
export class SuspendedRuns {
  readonly #db: OracleDatabase;

  constructor(db: OracleDatabase) {
    this.#db = db;
  }

  /** Suspends a run and releases it. False when the writer does not hold it. Unreported usage is stored in the same step. */
  suspend({ runId }: RunStart, writerId: string, state: SuspendedRunState, unreported?: MeteredTurn): Promise<boolean> {
    const stored = { state: storableJson(state) };
    return this.#db.transaction(async (tx) => {
      await storeUnreported(tx, unreported);
      const paused = await tx
        .update(runs)
        .set({ status: targetOf('suspend'), endedAt: sql`now()`, partialText: '' })
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
        .values({ runId, ...stored })
        .onConflictDoUpdate({ target: suspendedRuns.runId, set: stored });
      return true;
    });
  }

  /** The last suspension of a run, even after it has resumed; undefined for a run that was never suspended. */
  async find(runId: string): Promise<SuspendedRunState | undefined> {
    const [stored] = await this.#db
      .select({ state: suspendedRuns.state })
      .from(suspendedRuns)
      .where(eq(suspendedRuns.runId, runId));
    return stored?.state;
  }

  /** Suspended runs without a pending call: all are decided or expired. Oldest first. */
  async listDue(limit: number): Promise<string[]> {
    const due = await this.#db
      .select({ runId: runs.runId })
      .from(runs)
      .where(and(eq(runs.status, 'waiting'), not(this.#hasWaiting(gt(toolCalls.expiresAt, sql`now()`)))))
      .orderBy(asc(runs.endedAt))
      .limit(limit);
    return due.map(({ runId }) => runId);
  }

  /** Undefined when a call is pending, another process resumed it, or another turn of its session runs. */
  async resume(runId: string, { writerId, leaseMs }: Lease): Promise<ResumedRun | undefined> {
    try {
      const [resumed] = await this.#db
        .update(runs)
        .set({ status: targetOf('resume'), writerId, leaseUntil: fromNow(leaseMs), endedAt: null, stop: null })
        .from(suspendedRuns)
        .where(
          and(
            eq(runs.runId, runId),
            eq(suspendedRuns.runId, runs.runId),
            inArray(runs.status, sourcesOf('resume')),
            not(this.#hasWaiting()),
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
  }

  #hasWaiting(which?: SQL) {
    return exists(
      this.#db
        .select({ callId: toolCalls.callId })
        .from(toolCalls)
        .where(and(eq(toolCalls.runId, runs.runId), eq(toolCalls.approval, 'waiting'), which)),
    );
  }
}
