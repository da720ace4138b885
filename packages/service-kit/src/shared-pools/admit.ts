import { type FairSemaphore, type Holders, type Permit, SemaphoreFullError } from '@mlango/async/fair-semaphore';
import { ServiceError } from '../errors/service-error.js';

const RETRY_AFTER_SECONDS = 1;

/**
 * Acquires units of a shared pool for a request; release the permit afterwards.
 * @throws ServiceError `rate_limited` if the user or the address has its full share, `unavailable` if the pool is full
 */
export async function admit<Kind extends string>(
  pool: FairSemaphore<Kind>,
  holders: Holders<Kind>,
  options: { readonly units?: number; readonly signal?: AbortSignal } = {},
): Promise<Permit> {
  try {
    return await pool.acquire(holders, options);
  } catch (error) {
    throw error instanceof SemaphoreFullError ? poolFull(error.limit) : error;
  }
}

/** The error for a caller that reached a limit of a pool. @param limit `total`, `address` or `user` */
export function poolFull(limit: string, retryAfterSeconds = RETRY_AFTER_SECONDS): ServiceError {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  if (limit === 'total') {
    return new ServiceError('unavailable', 'Service temporarily unavailable', { headers, limiter: 'overload' });
  }
  const limiter = limit === 'address' ? 'address' : 'caller';
  return new ServiceError(
    'rate_limited',
    `Too many of these at the same time. Retry in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`,
    { headers, limiter },
  );
}
