import type postgres from 'postgres';
import { LazyRows } from './lazy-rows.js';
import type { PatientClient } from './patient-client.js';
import type { ReplicaWatch } from './replica-watch.js';
import { errorCodeOf, isConnectionError } from './sql-errors.js';

type Statement = Parameters<PatientClient['unsafe']>;

export interface StaleReadsParts {
  readonly primary: PatientClient;
  readonly replica: PatientClient;
  readonly watch: ReplicaWatch;
  /** Where it counts who has answered. */
  readonly reads: { replica: number; primary: number };
}

/** A statement that took too long there would take too long again. */
const STATEMENT_TIMEOUT = '57014';

/**
 * The part of a postgres.js client that drizzle uses for reading: statements go to the replica while it is well and not too far behind, and
 * to the primary otherwise, as those do that fail at the replica. So they may only read: one may be run twice.
 */
export class StaleReads {
  readonly options: postgres.Sql['options'];
  readonly #parts: StaleReadsParts;

  constructor(parts: StaleReadsParts) {
    this.options = parts.primary.options;
    this.#parts = parts;
  }

  unsafe(...statement: Statement) {
    return new LazyRows(
      () => this.#read(async (client) => client.unsafe(...statement)),
      () => this.#read((client) => client.unsafe(...statement).values()),
    );
  }

  async #read(run: (client: PatientClient) => Promise<unknown>): Promise<unknown> {
    const { primary, replica, watch, reads } = this.#parts;
    if (watch.isFresh) {
      try {
        const rows = await watch.whileThere(run(replica));
        reads.replica += 1;
        return rows;
      } catch (error) {
        if (errorCodeOf(error) === STATEMENT_TIMEOUT) throw error;
        if (isConnectionError(error)) watch.suspect(error);
      }
    }
    reads.primary += 1;
    return run(primary);
  }
}
