export { usingDataDir } from '../env/data-dir.js';
export { migrateAndEnd, moveAndEnd } from './database-commands.js';
export { type ServeConfig, type ServeOptions, serve } from './serve.js';
export { packageVersion, readConfigOrExit, startOrExit } from './start.js';
