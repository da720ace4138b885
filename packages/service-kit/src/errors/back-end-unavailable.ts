import { errorCodeOf, isConnectionError } from '../database/sql-errors.js';

/** SQLSTATE of a statement that ran into its own time limit, and of a table that a pending migration will make. */
const notReadyStates: ReadonlySet<string | undefined> = new Set(['57014', '42P01']);

const lostConnectionNames = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);

/** ioredis has no codes for these; the texts are its own constants. */
const lostConnectionMessages = new Set([
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
  "Stream isn't writeable and enableOfflineQueue options is false",
]);

/** The first word of what a Redis server says that is there but cannot serve now. */
const redisNotReady = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY) /;

const maxCauses = 5;

/** Whether an error, or one of its causes, says that a back end could not be reached, or is not ready yet. */
export function isBackEndUnavailable(thrown: unknown): boolean {
  if (isConnectionError(thrown) || notReadyStates.has(errorCodeOf(thrown))) return true;
  let current: unknown = thrown;
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    const { name, message } = current;
    if (lostConnectionNames.has(name) || lostConnectionMessages.has(message) || redisNotReady.test(message))
      return true;
    current = current.cause;
  }
  return false;
}
