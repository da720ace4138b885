import { format } from 'node:util';
import { type DestinationStream, type Logger, type LoggerOptions as PinoOptions, pino } from 'pino';
import { cleanFields, cleanValue } from './clean-fields.js';
import { cleanText } from './scrub-text.js';
import { serializeError } from './serialize-error.js';

export interface LoggerOptions {
  readonly service: string;
  /** One of pino's levels, or `silent`. */
  readonly level: string;
  /** Coloured lines for a person, instead of JSON. */
  readonly pretty?: boolean;
  /** Destination of lines. Default: standard output. */
  readonly destination?: DestinationStream;
}

type LogMethod = NonNullable<NonNullable<PinoOptions['hooks']>['logMethod']>;

/** A pino logger that drops secrets and masks phone numbers, in fields and in messages, and keeps errors free of data. */
export function createLogger(options: LoggerOptions): Logger {
  const settings: PinoOptions = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Not pino's own redaction: it matches paths, not names, and its wildcards cost more than writing the line.
    formatters: { log: cleanFields },
    serializers: { err: (error: unknown) => serializeError(error) },
    hooks: { logMethod: logCleanMessage },
  };
  if (options.destination !== undefined) return withCleanChildren(pino(settings, options.destination));
  if (options.pretty !== true) return withCleanChildren(pino(settings, standardOutput()));
  const pretty = { ignore: 'pid,hostname,service', translateTime: 'SYS:HH:MM:ss' };
  return withCleanChildren(pino({ ...settings, transport: { target: 'pino-pretty', options: pretty } }));
}

/** As pino's default, but with a `flush` that waits for its lines: with pino's default length of 0 it does not. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: process.stdout.fd || 1, minLength: 1, sync: false });
}

/** Resolves once every line logged so far is written: a process that is killed afterwards loses none. Rejects when writing failed. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve, reject) => {
    logger.flush((error?: NodeJS.ErrnoException | null) => {
      // Pipes and terminals have no fsync.
      if (error == null || error.syscall === 'fsync') resolve();
      else reject(error);
    });
  });
}

/** pino's formatter of bindings applies to the first logger only. Children inherit from their parent, and so have this `child` too. */
function withCleanChildren(logger: Logger): Logger {
  const stock: Logger = Object.getPrototypeOf(logger);
  logger.child = function cleanChild(this: Logger, bindings, options) {
    return stock.child.call(this, cleanFields(bindings), options);
  } as Logger['child'];
  logger.setBindings = function setCleanBindings(this: Logger, bindings) {
    stock.setBindings.call(this, cleanFields(bindings));
  };
  return logger;
}

/**
 * The message is built here, and cleaned as a whole. pino uses an error's raw message as the line's message if there is no other,
 * which would bypass the serializer.
 */
const logCleanMessage: LogMethod = function logMethod(args, method) {
  const [first, ...rest] = args as unknown[];
  const fields = first instanceof Error ? { err: first } : first;
  if (typeof fields === 'string') return method.call(this, messageOf([fields, ...rest]));
  const holdsError = typeof fields === 'object' && fields !== null && 'err' in fields;
  if (rest.length === 0) return holdsError ? method.call(this, fields, 'error') : method.call(this, fields);
  return method.call(this, fields, messageOf(rest));
};

function messageOf([message, ...values]: readonly unknown[]): string {
  const text = typeof message === 'string' ? message : format(cleanValue(message));
  return cleanText(values.length === 0 ? text : format(text, ...values.map(cleanValue)));
}
