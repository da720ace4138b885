import { pino } from 'pino';
import { openPglite, REUSED_MEMORY } from './open-pglite.js';

/** Opens and closes an embedded database, which is cached for reuse, and exits when the event loop is empty. */
const [, , migrationsFolder = ''] = process.argv;
const logger = pino({ level: 'silent' });
const database = await openPglite({ schema: {}, logger, migrationsFolder, dataDir: REUSED_MEMORY });
await database.ping();
await database.close();
process.stdout.write('closed\n');
