import { pino } from 'pino';
import { openPglite, REUSED_MEMORY } from './open-pglite.js';

/** Opens and closes an embedded database, which is kept for reuse, and ends when there is nothing left to wait for. */
const [, , migrationsFolder = ''] = process.argv;
const logger = pino({ level: 'silent' });
const database = await openPglite({ schema: {}, logger, migrationsFolder, dataDir: REUSED_MEMORY });
await database.ping();
await database.close();
process.stdout.write('closed\n');
