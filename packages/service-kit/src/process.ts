export { readConfigOrExit } from './process/read-config.js';
export { type ServeOptions, serve } from './process/serve.js';
