export type { Logger } from 'pino';
export { createLogger, type LoggerOptions } from './logging/create-logger.js';
export { maskMsisdn } from './logging/mask-msisdn.js';
