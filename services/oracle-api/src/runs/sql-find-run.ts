import { and, asc, count, desc, eq, isNull, or, sql } from 'drizzle-orm';
import type { OracleDatabase, StaleOracleDatabase } from '../store/oracle-database.js';
import { isStorable } from '../store/storable.js';
import { isLive, type RunRegister } from './run-register.js';
import { runs } from './schema.js';
import { idColumn, recordColumns } from './sql-run-columns.js';

type FindRun = Pick<RunRegister, 'find' | 'findLive' | 'findLatest' | 'findAsked' | 'listOfSession' | 'underWay'>;

/** What is known of runs. `stale` is for figures. */
export function sqlFindRun(db: OracleDatabase, stale: StaleOracleDatabase): FindRun {
  const found: FindRun = {
    async find(ownerDid, runId) {
      if (!isStorable(runId)) return undefined;
      const [row] = await db
        .select({ ...recordColumns, textMarks: runs.textMarks })
        .from(runs)
        .where(and(eq(runs.runId, runId), eq(runs.ownerDid, ownerDid)));
      if (row === undefined) return undefined;
      const { textMarks, ...record } = row;
      return textMarks === null ? record : { ...record, textMarks };
    },

    async findLive(ownerDid, sessionId) {
      const latest = await found.findLatest(ownerDid, sessionId);
      return latest !== undefined && isLive(latest.status) ? latest : undefined;
    },

    async findLatest(ownerDid, sessionId) {
      if (!isStorable(sessionId)) return undefined;
      const isWaiting = eq(runs.status, 'queued');
      const [row] = await db
        .select(recordColumns)
        .from(runs)
        .where(and(eq(runs.ownerDid, ownerDid), eq(runs.sessionId, sessionId)))
        .orderBy(
          desc(isNull(runs.endedAt)),
          asc(isWaiting),
          asc(sql`case when ${isWaiting} then ${runs.position} else -${runs.position} end`),
        )
        .limit(1);
      return row;
    },

    async findAsked(ownerDid, requestId) {
      if (!isStorable(requestId)) return undefined;
      const [row] = await db
        .select(recordColumns)
        .from(runs)
        .where(and(eq(runs.ownerDid, ownerDid), eq(runs.requestId, requestId), isNull(runs.endedAt)))
        .limit(1);
      return row;
    },

    async listOfSession(ownerDid, sessionId) {
      if (!isStorable(sessionId)) return [];
      const rows = await db
        .select(idColumn)
        .from(runs)
        .where(and(eq(runs.ownerDid, ownerDid), eq(runs.sessionId, sessionId)));
      return rows.map(({ runId }) => runId);
    },

    underWay() {
      const oldestMs = sql<number>`extract(epoch from now() - min(${runs.createdAt}))::float8 * 1000`;
      return stale
        .select({ status: runs.status, count: count(), oldestMs })
        .from(runs)
        .where(or(isNull(runs.endedAt), eq(runs.status, 'waiting')))
        .groupBy(runs.status);
    },
  };
  return found;
}
