export type { Logger } from 'pino';
export { createLogger, flushLogger, type LoggerOptions } from './logging/create-logger.js';
export { maskAddress } from './logging/mask-address.js';
export { maskMsisdn } from './logging/mask-msisdn.js';
