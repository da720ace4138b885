import { createLogger, flushLogger } from './create-logger.js';

/** Writes 200 lines, and is killed as soon as they are flushed. */
const logger = createLogger({ service: 'test', level: 'info' });
for (let line = 1; line <= 200; line += 1) logger.info(`line ${line}`);
await flushLogger(logger);
process.kill(process.pid, 'SIGKILL');
