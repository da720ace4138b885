import { ServiceError } from '../errors/service-error.js';
import type { Allowance } from '../rate-limit/allowance.js';

/**
 * Takes from the allowance of an address, or of what stands for one, what a request is about to use.
 * @throws ServiceError `rate_limited` when there is not so much left
 */
export async function takeOrRefuse(from: Allowance, holder: string, times = 1): Promise<void> {
  const taken = await from.take(holder, times);
  if (!taken.ok) throw tooMany(taken.retryAfterSeconds, 'address');
}

/** The refusal of whoever asks too often, by the name of the limit. */
export function tooMany(retryAfterSeconds: number, limiter = 'caller'): ServiceError {
  const seconds = Math.max(1, retryAfterSeconds);
  return new ServiceError('rate_limited', `Too many requests. Retry in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
    limiter,
  });
}
