import { and, lt, ne } from 'drizzle-orm';
import type { OracleDatabase, StaleOracleDatabase } from '../store/oracle-database.js';
import { fromNow } from '../store/sql-from-now.js';
import type { RunRegister } from './run-register.js';
import { runs } from './schema.js';
import { sqlBeginRun } from './sql-begin-run.js';
import { sqlEndRun } from './sql-end-run.js';
import { sqlFindRun } from './sql-find-run.js';
import { sqlHoldRun } from './sql-hold-run.js';

export interface Beside {
  /** For renewing leases, which do not wait behind other statements. */
  readonly aside?: OracleDatabase;
  /** For figures, which may be some seconds old. */
  readonly stale?: StaleOracleDatabase;
}

/** Runs in Postgres or PGlite. Leases run by the clock of the database, which all processes share. */
export function sqlRunRegister(db: OracleDatabase, { aside = db, stale = db }: Beside = {}): RunRegister {
  return {
    ...sqlBeginRun(db),
    ...sqlHoldRun(db, aside),
    ...sqlEndRun(db),
    ...sqlFindRun(db, stale),

    async forgetEnded(ageMs) {
      await db.delete(runs).where(and(lt(runs.endedAt, fromNow(-ageMs)), ne(runs.status, 'waiting')));
    },
  };
}
