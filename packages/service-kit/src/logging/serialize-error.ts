/** What a log keeps of an error: enough to find the cause, nothing that carries data of a user or a password. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError | string;
}

const maxCauses = 4;

/**
 * Turns an error into its loggable part. Drivers put query parameters and connection strings into messages and into
 * properties of their errors; so properties are left out but for `code`, parameters are cut, credentials in URLs hidden.
 */
export function serializeError(error: unknown, depth = 0): LoggedError | string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  const stack = frames === undefined || frames.length === 0 ? {} : { stack: frames.join('\n') };
  const cause =
    error.cause === undefined || depth >= maxCauses ? {} : { cause: serializeError(error.cause, depth + 1) };
  return { type: error.name, message: cleanMessage(error.message), ...code, ...stack, ...cause };
}

function cleanMessage(message: string): string {
  return message
    .replace(/\nparams:[\s\S]*$/, '')
    .replace(/\/\/[^\s/@]*@/g, '//***@')
    .slice(0, 2000);
}
