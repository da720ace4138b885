import type { OracleDatabase, StaleOracleDatabase } from '../store/oracle-database.js';
import type { OwnDataStore } from './own-data-store.js';
import { exportUser } from './sql-export-user.js';
import { busySessions, forgetUser, thinMessages } from './sql-forget-user.js';

/** What is kept of users in Postgres or PGlite. What is exported may be some seconds old where `stale` is. */
export function sqlOwnDataStore(db: OracleDatabase, stale: StaleOracleDatabase = db): OwnDataStore {
  return {
    export: (ownerDid) => exportUser(stale, ownerDid),
    busySessions: (ownerDid) => busySessions(db, ownerDid),
    thin: (ownerDid) => thinMessages(db, ownerDid),
    forget: (ownerDid) => forgetUser(db, ownerDid),
  };
}
