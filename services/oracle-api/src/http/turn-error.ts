import { type ErrorCode, ServiceError } from '@mlango/service-kit/errors';
import type { TurnFailure, TurnOutcome } from '../agent/lifecycle/turn-outcome.js';

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

/** A turn that failed as the error of a request that waited for the whole answer. */
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
    told: { status, runId, ...(failure.code && { code: failure.code }) },
    ...(code === 'unavailable' && failure.retryable ? { headers: { 'retry-after': '1' } } : {}),
  });
}
