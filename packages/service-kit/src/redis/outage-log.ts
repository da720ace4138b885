import type { Redis } from 'ioredis';
import type { Logger } from '../logging.js';
import { redisTrouble } from './redis-trouble.js';

/**
 * Logs the beginning and the end of an outage, not each attempt to connect. Takes only the error's code and name to the
 * log: ioredis puts the whole command on its errors, password and values included.
 */
export function logOutages(client: Redis, logger: Logger): void {
  let away = false;
  const begin = (reason: string): void => {
    if (!away) logger.warn({ reason }, 'Redis is away; trying again until it is back');
    away = true;
  };
  client.on('error', (error: Error) => begin(reasonOf(error)));
  // A server that hangs up on whoever comes, as one with too many clients does, gives no error.
  let timesClosed = 0;
  client.on('reconnecting', () => {
    timesClosed += 1;
    if (timesClosed > 1) begin('closed');
  });
  client.on('ready', () => {
    timesClosed = 0;
    if (away) logger.info('Redis is back');
    away = false;
  });
}

/** `ECONNREFUSED`, `WRONGPASS` and the like; the class of the error when it has neither. */
function reasonOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return redisTrouble(error) ?? /^[A-Z]{3,}\b/.exec(error.message)?.[0] ?? error.name;
}
