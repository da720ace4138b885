export type { Logger } from 'pino';
export { createLogger, flushLogger, type LoggerOptions } from './create-logger.js';
export { maskAddress, maskMsisdn } from './mask.js';
