import { systemCode } from '../errors/system-reason.js';
import { cleanText } from './scrub-text.js';

/** The part of an error that is logged: enough to find the cause, without user data or passwords. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly errno?: number;
  readonly syscall?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const maxCauses = 4;
const messageLimit = 2_000;
const stackLimit = 8_000;

/**
 * Turns any thrown value into its loggable part: an Error, a library's own object, or a bare text. Drivers put query parameters
 * and connection strings into messages and properties of their errors; so only the properties of the operating system are logged,
 * parameters are cut, and recognisable secrets are scrubbed from texts.
 */
export function serializeError(thrown: unknown, depth = 0): LoggedError {
  if (typeof thrown !== 'object' || thrown === null) return { type: typeof thrown, message: cleanMessage(thrown) };
  const field = (name: string): unknown => Reflect.get(thrown, name);
  const [code, errno, syscall] = [systemCode(thrown), field('errno'), field('syscall')];
  const frames = framesOf(textOf(field('stack')) ?? '', textOf(field('message')) ?? '');
  const cause = field('cause');
  return {
    type: cleanMessage(textOf(field('name')) ?? thrown.constructor?.name ?? 'object'),
    message: cleanMessage(field('message') ?? ''),
    ...(code === undefined ? {} : { code: cleanMessage(code) }),
    ...(typeof errno === 'number' ? { errno } : {}),
    ...(typeof syscall === 'string' ? { syscall: cleanMessage(syscall) } : {}),
    ...(frames === '' ? {} : { stack: frames }),
    ...(cause === undefined || depth >= maxCauses ? {} : { cause: serializeError(cause, depth + 1) }),
  };
}

/** One line for a person: the messages of a failure and its causes, each once. */
export function describeError(thrown: unknown): string {
  const lines: string[] = [];
  for (let error: LoggedError | undefined = serializeError(thrown); error !== undefined; error = error.cause) {
    const message = error.message.replace(/\s*\n\s*/g, ' ') || error.type;
    const line = error.code === undefined || message.includes(error.code) ? message : `${message} (${error.code})`;
    if (!lines.some((earlier) => earlier.includes(line))) lines.push(line);
  }
  return lines.join(': ');
}

/** The stack frames. The message precedes them, and may have lines that look like frames. */
export function framesOf(stack: string, message: string): string {
  const start = message === '' ? -1 : stack.indexOf(message);
  const rest = start === -1 ? stack : stack.slice(start + message.length);
  const frames = rest.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? '' : cleanText(frames.join('\n'), stackLimit);
}

/** A message without statement parameters and recognisable secrets. */
export function cleanMessage(message: unknown): string {
  return isPlain(message) ? cleanText(String(message).replace(/\nparams:[\s\S]*$/, ''), messageLimit) : '';
}

function isPlain(value: unknown): value is string | number | bigint | boolean | undefined {
  return !['object', 'function', 'symbol'].includes(typeof value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
