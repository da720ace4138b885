import { OracleRequestError } from '../../api/requests/request-error.js';
import type { Words } from '../../words/words.js';

/** The message for an error: localised for common errors, else the oracle's text. Pure. */
export function errorText(error: Error, { language, errors: words }: Pick<Words, 'language' | 'errors'>): string {
  const status = error instanceof OracleRequestError ? error.statusCode : undefined;
  if (status === 0) return words.unreached;
  if (status === 404) return words.notFound;
  if (status === 429) return words.tooMany(retryTime(error, language));
  return status === 503 ? words.unavailable : error.message;
}

/** The time of day, with the date if it is another day. */
function retryTime(error: Error, language: string): string | undefined {
  const at = error instanceof OracleRequestError ? error.retryAt : undefined;
  if (at === undefined) return undefined;
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(language, { timeStyle: 'medium', ...(isToday ? {} : { dateStyle: 'medium' }) });
}
