import { errorCodeOf, isConnectionError } from '../database/sql-errors.js';
import { redisTrouble } from '../redis/redis-trouble.js';

/**
 * SQLSTATE of a statement that ran into its own time limit, of a table that a pending migration will make, and of a server whose disk (53100) or
 * memory (53200) has no room.
 */
const notReadyStates: ReadonlySet<string | undefined> = new Set(['57014', '42P01', '53100', '53200']);

const maxCauses = 5;

/** Which store an error, or one of its causes, says could not be reached, or is not ready yet; undefined if it says neither. */
export function unavailableStore(thrown: unknown): 'redis' | 'database' | undefined {
  let current: unknown = thrown;
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    if (redisTrouble(current) !== undefined) return 'redis';
    current = current.cause;
  }
  return isConnectionError(thrown) || notReadyStates.has(errorCodeOf(thrown)) ? 'database' : undefined;
}

/** Whether an error, or one of its causes, says that a back end could not be reached, or is not ready yet. */
export function isBackEndUnavailable(thrown: unknown): boolean {
  return unavailableStore(thrown) !== undefined;
}
