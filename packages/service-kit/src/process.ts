export { migrateAndEnd } from './process/migrate-and-end.js';
export { moveAndEnd } from './process/move-and-end.js';
export { packageVersion } from './process/package-version.js';
export { readConfigOrExit } from './process/read-config.js';
export { type ServeConfig, type ServeOptions, serve } from './process/serve.js';
export { startOrExit } from './process/start-or-exit.js';
export { usingDataDir } from './process/using-data-dir.js';
