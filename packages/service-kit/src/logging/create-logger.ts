import { type DestinationStream, type Logger, type LoggerOptions as PinoOptions, pino } from 'pino';
import { maskMsisdn } from './mask-msisdn.js';
import { redactFields } from './redact-fields.js';
import { serializeError } from './serialize-error.js';

export interface LoggerOptions {
  readonly service: string;
  /** One of pino's levels, or `silent`. */
  readonly level: string;
  /** Coloured lines for a person, instead of JSON. */
  readonly pretty?: boolean;
  /** Where lines go; standard output unless given. */
  readonly destination?: DestinationStream;
}

type LogMethod = NonNullable<NonNullable<PinoOptions['hooks']>['logMethod']>;

/** A pino logger that drops secrets, masks phone numbers under their usual keys, and keeps errors free of data. */
export function createLogger(options: LoggerOptions): Logger {
  const settings: PinoOptions = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Not pino's own redaction: its wildcards cost more than writing the line.
    formatters: { log: redactFields, bindings: redactFields },
    serializers: { err: (error: unknown) => serializeError(error), phoneNumber: maskUnknown, msisdn: maskUnknown },
    hooks: { logMethod: logWithOwnMessage },
  };
  if (options.destination !== undefined) return pino(settings, options.destination);
  if (options.pretty !== true) return pino(settings);
  const pretty = { ignore: 'pid,hostname,service', translateTime: 'SYS:HH:MM:ss' };
  return pino({ ...settings, transport: { target: 'pino-pretty', options: pretty } });
}

/** pino makes an error's raw message the line's message when no other is given; that would go round the serializer. */
const logWithOwnMessage: LogMethod = function logMethod(args, method) {
  const [first, ...rest] = args as unknown[];
  const fields = first instanceof Error ? { err: first } : first;
  const holdsError = typeof fields === 'object' && fields !== null && 'err' in fields;
  const message = rest.length === 0 && holdsError ? ['error'] : rest;
  return method.apply(this, [fields, ...message] as Parameters<typeof method>);
};

function maskUnknown(value: unknown): string {
  return typeof value === 'string' ? maskMsisdn(value) : '[redacted]';
}
