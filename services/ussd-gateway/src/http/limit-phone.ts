import { sha256Hex } from '@mlango/crypto/hashing';
import { ServiceError } from '@mlango/service-kit/errors';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';

const minuteMs = 60_000;

/**
 * Counts a hop of one subscriber, over all aggregators.
 * @param name of the counter.
 * @param onRefused called for a hop over the limit.
 * @throws {ServiceError} `rate_limited`.
 */
export async function limitPhone(
  store: RateLimitStore,
  name: string,
  phoneNumber: string,
  max: number,
  onRefused: () => void,
): Promise<void> {
  // Shared stores get a digest, not the number.
  const { count, resetMs } = await store.hit(`${name}:${sha256Hex(phoneNumber).slice(0, 32)}`, minuteMs);
  if (count <= max) return;
  onRefused();
  const retryAfter = String(Math.max(1, Math.ceil(resetMs / 1000)));
  throw new ServiceError('rate_limited', 'Too many requests', {
    headers: { 'retry-after': retryAfter },
    limiter: 'phone',
  });
}
