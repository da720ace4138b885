import { systemCode } from '../errors/system-reason.js';

/** What a log keeps of an error: enough to find the cause, nothing that carries data of a user or a password. */
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

/**
 * Turns whatever was thrown into its loggable part: an Error, a library's own object, or a bare text. Drivers put query
 * parameters and connection strings into messages and into properties of their errors; so properties are left out but
 * for those of the operating system, parameters are cut, credentials in URLs and settings hidden.
 */
export function serializeError(thrown: unknown, depth = 0): LoggedError {
  if (typeof thrown !== 'object' || thrown === null) return { type: typeof thrown, message: cleanMessage(thrown) };
  const field = (name: string): unknown => Reflect.get(thrown, name);
  const [code, errno, syscall] = [systemCode(thrown), field('errno'), field('syscall')];
  const frames = textOf(field('stack'))
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line));
  const cause = field('cause');
  return {
    type: textOf(field('name')) ?? thrown.constructor?.name ?? 'object',
    message: cleanMessage(field('message') ?? ''),
    ...(code === undefined ? {} : { code }),
    ...(typeof errno === 'number' ? { errno } : {}),
    ...(typeof syscall === 'string' ? { syscall } : {}),
    ...(frames === undefined || frames.length === 0 ? {} : { stack: frames.join('\n') }),
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

function cleanMessage(message: unknown): string {
  if (!isPlain(message)) return '';
  return String(message)
    .replace(/\nparams:[\s\S]*$/, '')
    .replace(/\/\/\S*@/g, '//***@')
    .replace(/\b(password|passwd|pwd|secret|token|api_?key)=[^\s&]+/gi, '$1=***')
    .slice(0, 2000);
}

function isPlain(value: unknown): value is string | number | bigint | boolean | undefined {
  return !['object', 'function', 'symbol'].includes(typeof value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
