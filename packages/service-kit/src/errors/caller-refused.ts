import { ServiceError } from './service-error.js';

/** Why a caller is not let in, as `@mlango/ucan-auth` says it. */
interface Refusal {
  readonly status: 401 | 429 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

const codeOf = { 401: 'unauthenticated', 429: 'rate_limited', 503: 'unavailable' } as const;

/** The error of a caller whose token was not taken. */
export function callerRefused({ status, message, headers }: Refusal): ServiceError {
  return new ServiceError(codeOf[status], message, { headers, limiter: 'look_ups' });
}
