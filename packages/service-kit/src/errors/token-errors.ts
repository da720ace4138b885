import { ServiceError, tooManyRequests } from './service-error.js';

/** Why a revocation was not recorded, by the code of a token check (`RevocationResult` of `ucan-auth`). */
interface RefusedRevocation {
  readonly code: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** The error of a route that takes revocations as `token` of its body. */
export function refusedRevocation({ code, retryAfterSeconds = 1 }: RefusedRevocation): ServiceError {
  switch (code) {
    case 'rate_limited':
      return tooManyRequests(retryAfterSeconds, 'revocations');
    case 'no_room':
      return new ServiceError('conflict', 'The limit of stored revocations of this signer is reached');
    case 'unavailable':
      return new ServiceError('unavailable', 'The revocation could not be recorded', {
        headers: { 'retry-after': '2' },
      });
    case 'malformed':
      return ofToken('is not a UCAN that can be read');
    default:
      return ofToken('is not a token by which its signer revokes another one at this service');
  }
}

function ofToken(problem: string): ServiceError {
  return new ServiceError('invalid_argument', `body.token: ${problem}`, { details: { fields: ['token'] } });
}

/** Why a token was refused, as `@mlango/ucan-auth` reports it. */
interface Refusal {
  readonly status: 401 | 429 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

const codeOf = { 401: 'unauthenticated', 429: 'rate_limited', 503: 'unavailable' } as const;

/** The error for a caller with a refused token. */
export function callerRefused({ status, message, headers }: Refusal): ServiceError {
  return new ServiceError(codeOf[status], message, { headers, limiter: 'look_ups' });
}
