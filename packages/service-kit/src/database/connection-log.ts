import type { Logger } from '../logging.js';
import { errorCodeOf } from './sql-errors.js';

export interface ConnectionLog {
  readonly answered: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Logs that a database is connected, is away and is back, once each. Of an error the code alone gets to the log: drizzle's own text
 * repeats the statement with its values. What keeps a database from its first connection is told by who migrates it.
 *
 * @param logger says which database it is.
 */
export function connectionLog(logger: Logger): ConnectionLog {
  let state: 'unknown' | 'connected' | 'away' = 'unknown';
  return {
    answered: () => {
      if (state !== 'connected') logger.info(state === 'away' ? 'Postgres is back' : 'Postgres is connected');
      state = 'connected';
    },
    failed: (error) => {
      if (state !== 'connected') return;
      logger.warn({ reason: errorCodeOf(error) ?? 'no answer' }, 'Postgres is away; trying again until it is back');
      state = 'away';
    },
  };
}
