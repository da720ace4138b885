import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import { type ErrorCode, ServiceError } from '@mlango/service-kit/errors';
import type { TurnFailure, TurnOutcome } from '../agent/turn.js';

/** Error statuses that every route can return. */
const always = [429, 500, 503] as const;

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 504;

/** Error replies of a route for its schema: the named ones and those of every route. */
export function errorReplies<const Statuses extends readonly Status[]>(...statuses: Statuses) {
  const entries = [...statuses, ...always].map(
    (status) => [status, status === 400 ? invalidRequest : jsonError] as const,
  );
  return Object.fromEntries(entries) as Record<Statuses[number] | (typeof always)[number], typeof jsonError>;
}

/** An invalid field of a request that its schema cannot detect. */
export function refusedField(place: string, field: string, message: string): ServiceError {
  return new ServiceError('invalid_argument', `${place}.${field}: ${message}`, { details: { fields: [field] } });
}

const codeOfKind: Readonly<Record<TurnFailure['kind'], ErrorCode>> = {
  rate_limit: 'unavailable',
  billing: 'internal',
  auth: 'internal',
  timeout: 'deadline_exceeded',
  server: 'unavailable',
  network: 'unavailable',
  interrupted: 'unavailable',
  unknown: 'internal',
};

/** Error of a failed turn, for a request that waited for the whole answer. */
export function turnError(
  { status, failure }: { readonly status: TurnOutcome['status']; readonly failure: TurnFailure },
  runId: string,
): ServiceError {
  if (status === 'waiting') {
    // Clients retry 409 by themselves, and the retry would wait as well.
    const headers = { 'x-should-retry': 'false' };
    return new ServiceError('conflict', failure.detail, { details: { code: failure.code, runId }, headers });
  }
  const code = codeOfKind[failure.kind];
  return new ServiceError(code, failure.detail, {
    cause: failure.cause,
    publicFields: { status, runId, ...(failure.code && { code: failure.code }) },
    ...(code === 'unavailable' && failure.retryable ? { headers: { 'retry-after': '1' } } : {}),
  });
}
