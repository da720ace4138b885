import type { Logger } from '@mlango/service-kit/logging';
import {
  memoryRateLimitStore,
  type RateLimitStore,
  redisRateLimitStore,
  withLocalCeiling,
} from '@mlango/service-kit/rate-limit';
import { openRedis, redisWrites } from '@mlango/service-kit/redis';
import { aggregatorIds } from '../aggregators/registry.js';
import type { AnalyticsStore } from '../analytics/analytics-store.js';
import { MemoryAnalyticsStore } from '../analytics/memory-analytics-store.js';
import { RedisAnalyticsStore } from '../analytics/redis-analytics-store.js';
import type { Config } from '../config.js';
import { MemorySessionStore } from '../sessions/memory-session-store.js';
import { RedisSessionStore } from '../sessions/redis-session-store.js';
import type { SessionStore } from '../sessions/session-store.js';

/** Each rejects when it is not so. */
export interface RedisProbes {
  readonly answers: () => Promise<void>;
  readonly takesWrites: () => Promise<void>;
}

export interface KeyValue {
  readonly sessions: SessionStore;
  readonly rateLimits: RateLimitStore;
  readonly analytics: AnalyticsStore;
  readonly redis?: RedisProbes;
  readonly close: () => Promise<void>;
}

/** Opens Redis, or what stands in for it within the process. */
export async function openKeyValue(config: Config, logger: Logger): Promise<KeyValue> {
  const local = memoryRateLimitStore();
  if (config.REDIS_URL === undefined) {
    return {
      sessions: new MemorySessionStore(),
      rateLimits: local,
      analytics: new MemoryAnalyticsStore(),
      close: async () => {},
    };
  }
  const redis = await openRedis({ url: config.REDIS_URL, logger, connectionName: 'ussd-gateway' });
  return {
    sessions: new RedisSessionStore(redis.client, aggregatorIds),
    rateLimits: withLocalCeiling(redisRateLimitStore(redis.client, { service: 'ussd' }), local, logger),
    analytics: new RedisAnalyticsStore(redis.client),
    redis: { answers: redis.ping, takesWrites: redisWrites(redis.client, 'ussd') },
    close: redis.close,
  };
}
