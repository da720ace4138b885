import type { Redis } from 'ioredis';
import type { Logger } from '../logging.js';

/**
 * Logs the beginning and the end of an outage, not each attempt to connect. Takes only the error's code and name to the
 * log: ioredis puts the whole command on its errors, password and values included.
 */
export function logOutages(client: Redis, logger: Logger): void {
  let away = false;
  client.on('error', (error: Error) => {
    if (away) return;
    away = true;
    logger.warn({ reason: reasonOf(error) }, 'Redis is away; trying again until it is back');
  });
  client.on('ready', () => {
    if (away) logger.info('Redis is back');
    away = false;
  });
}

/** `ECONNREFUSED`, `WRONGPASS` and the like; the class of the error when it has neither. */
function reasonOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z]{3,}\b/.exec(error.message)?.[0] ?? error.name;
}
