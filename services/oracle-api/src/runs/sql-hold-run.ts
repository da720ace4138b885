import { isUniqueViolation } from '@mlango/service-kit/database';
import { and, asc, eq, inArray, isNull, lt, ne, not, or, sql } from 'drizzle-orm';
import type { OracleDatabase } from '../store/oracle-database.js';
import { fromNow } from '../store/sql-from-now.js';
import { isStorable, storableJson } from '../store/storable.js';
import type { HeldRun, RunRegister } from './run-register.js';
import { runs } from './schema.js';
import { idColumn, liveIn, startColumns } from './sql-run-columns.js';

type HoldRun = Pick<RunRegister, 'advance' | 'requestStop' | 'renew' | 'isHeld' | 'takeOrphans'>;

/** Who runs what: leases, and what becomes of runs while they are held. `aside` is for renewing them. */
export function sqlHoldRun(db: OracleDatabase, aside: OracleDatabase): HoldRun {
  return {
    async advance(writerId) {
      const isFirst = sql`not exists (
        select 1 from ${runs} earlier where earlier.session_id = ${runs.sessionId}
          and earlier.ended_at is null and earlier.position < ${runs.position})`;
      try {
        const advanced = await db
          .update(runs)
          .set({ status: 'running' })
          .where(and(eq(runs.writerId, writerId), eq(runs.status, 'queued'), isNull(runs.endedAt), isFirst))
          .returning(idColumn);
        return advanced.map(({ runId }) => runId);
      } catch (error) {
        // A run that had waited for its user went on at the same moment: whoever looks next finds it there.
        if (isUniqueViolation(error, 'runs_one_running_idx')) return [];
        throw error;
      }
    },

    async requestStop(ownerDid, sessionId, reason) {
      if (!isStorable(sessionId)) return [];
      const asked = await db
        .update(runs)
        .set({ stop: sql`coalesce(${runs.stop}, ${reason})` })
        .where(liveIn(ownerDid, sessionId))
        .returning(idColumn);
      return asked.map(({ runId }) => runId);
    },

    async renew({ writerId, leaseMs }, running) {
      const told = sql`jsonb_to_recordset(${JSON.stringify(storableJson(running))}::jsonb) as told("runId" text, "partialText" text)`;
      const held = await aside
        .update(runs)
        .set({ leaseUntil: fromNow(leaseMs), partialText: sql`coalesce(told."partialText", ${runs.partialText})` })
        .from(told)
        .where(and(eq(runs.runId, sql`told."runId"`), eq(runs.writerId, writerId), isNull(runs.endedAt)))
        .returning({ runId: runs.runId, stop: runs.stop });
      return held.map(({ runId, stop }): HeldRun => (stop === null ? { runId } : { runId, stop }));
    },

    async isHeld(runId, writerId) {
      const held = await aside
        .select(idColumn)
        .from(runs)
        .where(and(eq(runs.runId, runId), eq(runs.writerId, writerId), isNull(runs.endedAt)));
      return held.length > 0;
    },

    async takeOrphans({ writerId, leaseMs }, limit, alive) {
      const isAlive = sql`${runs.runId} in (select jsonb_array_elements_text(${JSON.stringify(alive)}::jsonb))`;
      const orphans = db
        .select(idColumn)
        .from(runs)
        .where(
          and(isNull(runs.endedAt), lt(runs.leaseUntil, sql`now()`), or(ne(runs.writerId, writerId), not(isAlive))),
        )
        .orderBy(asc(runs.leaseUntil))
        .limit(limit)
        .for('update', { skipLocked: true });
      return db
        .update(runs)
        .set({ status: recovering, writerId, leaseUntil: fromNow(leaseMs) })
        .where(inArray(runs.runId, orphans))
        .returning({ ...startColumns, partialText: runs.partialText });
    },
  };
}

/** A run that never ran stays what it is: two of a session cannot be recovered at one time. */
const recovering = sql`case ${runs.status} when 'queued' then 'queued' else 'recovering' end`;
