import { and, asc, count, desc, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { fromNow, isStorable, type OracleDatabase, type StaleOracleDatabase } from '../store/database.js';
import { runs } from '../store/schema.js';
import { isLive } from './run.js';
import type { RunRepository } from './run-repository.js';
import { idColumn, recordColumns } from './schema.js';
import { sqlEndTransitions, sqlLeaseTransitions, sqlStartTransitions } from './sql-transitions.js';

export interface RunDatabases {
  /** Connection for lease renewals, which do not queue behind other statements. */
  readonly leases?: OracleDatabase;
  /** Connection for statistics, which may be seconds old. */
  readonly stale?: StaleOracleDatabase;
}

/** Runs in Postgres or PGlite. Leases use the clock of the database, which all processes share. */
export function sqlRunRepository(
  db: OracleDatabase,
  { leases: aside = db, stale = db }: RunDatabases = {},
): RunRepository {
  return {
    ...sqlStartTransitions(db),
    ...sqlLeaseTransitions(db, aside),
    ...sqlEndTransitions(db),
    ...sqlRunQueries(db, stale),

    async deleteEnded(ageMs) {
      await db.delete(runs).where(and(lt(runs.endedAt, fromNow(-ageMs)), ne(runs.status, 'waiting')));
    },
  };
}

type FindRun = Pick<
  RunRepository,
  'find' | 'findLive' | 'findLatest' | 'findByRequest' | 'listOfSession' | 'countUnfinished'
>;

/** Queries for runs. `stale` is for statistics. */
function sqlRunQueries(db: OracleDatabase, stale: StaleOracleDatabase): FindRun {
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

    async findByRequest(ownerDid, requestId) {
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

    countUnfinished() {
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
