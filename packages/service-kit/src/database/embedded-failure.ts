import { systemCode, systemReason } from '../errors/system-reason.js';
import { errorCodeOf } from './sql-errors.js';

/** SQLSTATE of a statement for which the disk had no room. */
const DISK_FULL = '53100';

/**
 * What keeps the embedded database from opening, as an error that names its place. The database throws objects of its own for
 * failures of the file system, and words that say nothing; an error of ours, of Node or of a migration passes as it is.
 */
export function embeddedFailure(place: string, thrown: unknown): unknown {
  const isFull = errorCodeOf(thrown) === DISK_FULL;
  const isWordless = thrown instanceof Error && /failed to initialize/.test(thrown.message);
  if (thrown instanceof Error && !isFull && !isWordless) return thrown;
  const code = isFull ? 'ENOSPC' : systemCode(thrown);
  const why = code === undefined ? '' : `: ${systemReason(code)}`;
  const failure = new Error(`the embedded database in ${place} cannot be opened${why}`, { cause: thrown });
  return Object.assign(failure, { path: place }, code === undefined ? {} : { code });
}
