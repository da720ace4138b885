import { sha256Hex } from '@mlango/crypto/hashing';
import { ServiceError } from '@mlango/service-kit/errors';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';

const minuteMs = 60_000;

/**
 * Counts a hop of one subscriber, whichever aggregator it comes through.
 * @param name of the count.
 * @param onRefused told of a hop that is one too many.
 * @throws {ServiceError} `rate_limited`.
 */
export async function limitPhone(
  store: RateLimitStore,
  name: string,
  phoneNumber: string,
  max: number,
  onRefused: () => void,
): Promise<void> {
  // The digest keeps numbers out of the keys of a shared store.
  const { count, resetMs } = await store.hit(`${name}:${sha256Hex(phoneNumber).slice(0, 32)}`, minuteMs);
  if (count <= max) return;
  onRefused();
  const retryAfter = String(Math.max(1, Math.ceil(resetMs / 1000)));
  throw new ServiceError('rate_limited', 'Too many requests', {
    headers: { 'retry-after': retryAfter },
    limiter: 'phone',
  });
}
