import { type ErrorCode, ServiceError } from '@mlango/service-kit/errors';
import type { TurnFailure, TurnOutcome } from '../../turns/lifecycle/turn-outcome.js';

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
  const code = codeOfKind[failure.kind];
  return new ServiceError(code, failure.detail, {
    cause: failure.cause,
    told: { status, runId },
    ...(code === 'unavailable' && failure.retryable ? { headers: { 'retry-after': '1' } } : {}),
  });
}
