import type { Logger } from '../logging.js';
import type { RedisConnection } from '../redis/open-redis.js';
import { hitsTogether } from './hits-together.js';
import { withLocalCeiling } from './local-ceiling.js';
import { memoryRateLimitStore } from './memory-rate-limit-store.js';
import type { RateLimitStore } from './rate-limit-store.js';
import { redisRateLimitStore } from './redis-rate-limit-store.js';

/**
 * What a service counts in: Redis for all its replicas, with the ceiling of this process for when Redis is away, and the hits of one turn
 * together; without Redis this process alone.
 *
 * @param service first part of the stored keys.
 */
export function serviceRateLimitStore(
  redis: Pick<RedisConnection, 'client' | 'atEndOfTurn'> | undefined,
  service: string,
  logger: Logger,
): RateLimitStore {
  const local = memoryRateLimitStore();
  if (redis === undefined) return local;
  return hitsTogether(
    withLocalCeiling(redisRateLimitStore(redis.client, { service }), local, logger),
    redis.atEndOfTurn,
  );
}
