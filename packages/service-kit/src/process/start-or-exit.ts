import type { FastifyBaseLogger } from 'fastify';
import { describeError } from '../logging/serialize-error.js';

/**
 * Waits for what a process cannot do without. When it fails, says why in the log and on standard error, and ends the process
 * with code 1.
 */
export async function startOrExit<Started>(logger: FastifyBaseLogger, start: Promise<Started>): Promise<Started> {
  try {
    return await start;
  } catch (error) {
    logger.fatal({ err: error }, 'the service cannot start');
    // Also without the log, which may be off or on its way to a file.
    process.stderr.write(`The service cannot start: ${describeError(error)}\n`);
    process.exit(1);
  }
}
