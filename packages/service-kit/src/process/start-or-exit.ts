import type { FastifyBaseLogger } from 'fastify';

/** Waits for what a process cannot do without; when it fails, says why and ends the process with code 1. */
export async function startOrExit<Started>(logger: FastifyBaseLogger, start: Promise<Started>): Promise<Started> {
  try {
    return await start;
  } catch (error) {
    logger.fatal({ err: error }, 'the service cannot start');
    process.exit(1);
  }
}
