import { errorCodeOf, isConnectionError } from '../database/sql-errors.js';
import { redisTrouble } from '../redis/redis-trouble.js';

/** SQLSTATE of a statement that ran into its own time limit, and of a table that a pending migration will make. */
const notReadyStates: ReadonlySet<string | undefined> = new Set(['57014', '42P01']);

const maxCauses = 5;

/** Whether an error, or one of its causes, says that a back end could not be reached, or is not ready yet. */
export function isBackEndUnavailable(thrown: unknown): boolean {
  if (isConnectionError(thrown) || notReadyStates.has(errorCodeOf(thrown))) return true;
  let current: unknown = thrown;
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    if (redisTrouble(current) !== undefined) return true;
    current = current.cause;
  }
  return false;
}
