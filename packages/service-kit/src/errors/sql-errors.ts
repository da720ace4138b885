const UNIQUE_VIOLATION = '23505';

// No free slot, a server that is starting or stopping, or no primary among several hosts.
const REFUSED_STATES: ReadonlySet<string | undefined> = new Set(['53300', '57P03', 'NOT_THE_PRIMARY']);

// PgBouncer reports the server's and its own refusals under one state.
const POOLER_STATE = '08P01';
const POOLER_REFUSALS =
  /too many|remaining connection slots|no more connections|database system is|query_wait_timeout|client_login_timeout|server_login_retry/;
const POOLER_UNSUPPORTED = /unsupported startup parameter/;

// SQLSTATE class 08, shutdown states, and a write on a standby (during a failover); codes of the driver and the operating system.
const CONNECTION_STATES = /^(?:08\w{3}|57P0[1-5]|53300|25006)$/;
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'NOT_THE_PRIMARY',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
]);

/**
 * Whether a statement failed because a row with that key exists already. With `constraint`, only for that constraint or
 * unique index. Looks through the wrappers that drizzle puts around the driver's error.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  for (const cause of causesOf(error)) {
    if (textOf(cause, 'code') !== UNIQUE_VIOLATION) continue;
    if (constraint === undefined) return true;
    // The property is `constraint_name` in postgres.js and `constraint` in PGlite.
    return (textOf(cause, 'constraint_name') ?? textOf(cause, 'constraint')) === constraint;
  }
  return false;
}

/**
 * Whether a statement failed because the database is unreachable, starting or stopping. A statement in flight may have run.
 */
export function isConnectionError(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const code = textOf(cause, 'code');
    if (code !== undefined && (CONNECTION_CODES.has(code) || CONNECTION_STATES.test(code))) return true;
  }
  return false;
}

/**
 * Whether the server or its pooler refused a connection: no free slot, or starting or stopping. The statement has not run, so it may
 * be retried. Every refusal is also a connection error.
 */
export function isRefused(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    const code = textOf(cause, 'code');
    return REFUSED_STATES.has(code) || (code === POOLER_STATE && POOLER_REFUSALS.test(textOf(cause, 'message') ?? ''));
  });
}

/** Whether a pooler refused session settings: retrying does not help. */
export function isPoolerError(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => textOf(cause, 'code') === POOLER_STATE && POOLER_UNSUPPORTED.test(textOf(cause, 'message') ?? ''),
  );
}

/** The SQLSTATE or system code of the innermost error that has one. */
export function errorCodeOf(error: unknown): string | undefined {
  return causesOf(error)
    .map((cause) => textOf(cause, 'code'))
    .findLast((code) => code !== undefined);
}

const DEPTH_LIMIT = 8;

/** The error, its causes, and the parts of an AggregateError (one per address that was tried). */
function causesOf(error: unknown, depth = 0): readonly object[] {
  if (typeof error !== 'object' || error === null || depth > DEPTH_LIMIT) return [];
  const parts = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const cause = 'cause' in error ? error.cause : undefined;
  return [error, ...causesOf(cause, depth + 1), ...parts.flatMap((part) => causesOf(part, depth + 1))];
}

function textOf(error: object, field: string): string | undefined {
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : undefined;
}
