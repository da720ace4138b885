import type { SqlDatabase } from '@mlango/service-kit/database';
import type { OwnRow } from '../plugin-kit/own-rows.js';
import type * as schema from '../store/schema.js';
import type { ForgottenUser, OwnDataStore } from './own-data-store.js';
import { exportUser } from './sql-export-user.js';
import { busySessions, forgetUser, thinMessages } from './sql-forget-user.js';

/** What is kept of users in Postgres or PGlite. */
export class SqlOwnDataStore implements OwnDataStore {
  readonly #db: SqlDatabase<typeof schema>;

  constructor(db: SqlDatabase<typeof schema>) {
    this.#db = db;
  }

  export(ownerDid: string): AsyncIterable<OwnRow> {
    return exportUser(this.#db, ownerDid);
  }

  busySessions(ownerDid: string): Promise<string[]> {
    return busySessions(this.#db, ownerDid);
  }

  thin(ownerDid: string): Promise<number> {
    return thinMessages(this.#db, ownerDid);
  }

  forget(ownerDid: string): Promise<ForgottenUser | 'busy'> {
    return forgetUser(this.#db, ownerDid);
  }
}
