import { OracleRequestError } from '../requests/request-error.js';
import type { Words } from './words/words.js';

/** What a person is told of an error: in their language where it is one that everybody meets, else as the oracle says it. Pure. */
export function toldError(error: Error, words: Words['errors']): string {
  const status = error instanceof OracleRequestError ? error.statusCode : undefined;
  if (status === 0) return words.unreached;
  if (status === 404) return words.notFound;
  return status === 429 || status === 503 ? words.unavailable : error.message;
}
