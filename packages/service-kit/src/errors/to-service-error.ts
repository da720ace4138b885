import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { issueText } from './issue-text.js';
import { redisTrouble } from './redis-trouble.js';
import { type ErrorCode, genericMessages, ServiceError } from './service-error.js';
import { errorCodeOf, isConnectionError } from './sql-errors.js';

const codeOfClientStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  402: 'payment_required',
  403: 'permission_denied',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  // A path parameter that is too long is refused like any other malformed id.
  414: 'invalid_argument',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
};

/**
 * Converts a thrown value to a `ServiceError`. Only texts written for callers pass: those of a ServiceError, field messages of a
 * schema, and Fastify's messages about the request. Every other text becomes a generic one.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const place = 'validationContext' in thrown ? String(thrown.validationContext) : 'request';
    const problems = thrown.validation.map((issue) =>
      describeField(
        place,
        issue.instancePath,
        issueText({ ...issue.params, code: issue.keyword, message: issue.message }),
      ),
    );
    const fields = thrown.validation.map((issue) => fieldName(issue.instancePath)).filter((name) => name !== '');
    return new ServiceError('invalid_argument', problems.join('; ').slice(0, 1000), {
      cause: thrown,
      ...(fields.length === 0 ? {} : { details: { fields } }),
    });
  }
  if (isBackEndUnavailable(thrown)) {
    return new ServiceError('unavailable', genericMessages.unavailable, {
      cause: thrown,
      headers: { 'retry-after': '5' },
    });
  }
  const fastifyError = asFastifyClientError(thrown);
  if (fastifyError !== undefined) return new ServiceError(fastifyError.code, fastifyError.message, { cause: thrown });
  return new ServiceError('internal', genericMessages.internal, { cause: thrown });
}

function asFastifyClientError(thrown: unknown): { code: ErrorCode; message: string } | undefined {
  if (!(thrown instanceof Error) || !('statusCode' in thrown) || !('code' in thrown)) return undefined;
  if (typeof thrown.statusCode !== 'number' || !String(thrown.code).startsWith('FST_')) return undefined;
  const code = codeOfClientStatus[thrown.statusCode];
  return code === undefined ? undefined : { code, message: thrown.message.slice(0, 300) };
}

function fieldName(instancePath: string): string {
  return instancePath.replace(/^\//, '').replaceAll('/', '.');
}

function describeField(place: string, instancePath: string, message: string): string {
  const name = fieldName(instancePath);
  return name === '' ? `${place}: ${message}` : `${place}.${name}: ${message}`;
}

/**
 * SQLSTATE of a statement timeout, of a table that a pending migration will create, and of a server without free disk (53100) or
 * memory (53200).
 */
const notReadyStates: ReadonlySet<string | undefined> = new Set(['57014', '42P01', '53100', '53200']);

const maxCauses = 5;

/** The store that an error, or one of its causes, reports as unreachable or not ready; undefined if none. */
export function unavailableStore(thrown: unknown): 'redis' | 'database' | undefined {
  let current: unknown = thrown;
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    if (redisTrouble(current) !== undefined) return 'redis';
    current = current.cause;
  }
  return isConnectionError(thrown) || notReadyStates.has(errorCodeOf(thrown)) ? 'database' : undefined;
}

/** Whether an error, or one of its causes, reports a back end as unreachable or not ready. */
export function isBackEndUnavailable(thrown: unknown): boolean {
  return unavailableStore(thrown) !== undefined;
}
