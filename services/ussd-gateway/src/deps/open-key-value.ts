import type { Logger } from '@mlango/service-kit/logging';
import { memoryRateLimitStore, type RateLimitStore, serviceRateLimitStore } from '@mlango/service-kit/rate-limit';
import { openRedis, redisWrites } from '@mlango/service-kit/redis';
import type { Config } from '../config.js';
import { MemorySessionStore } from '../sessions/memory-session-store.js';
import { RedisSessionStore } from '../sessions/redis-session-store.js';
import { expiredRetentionMs, type SessionStore } from '../sessions/session-store.js';
import { RedisSessionTenantStore } from '../tenants/redis-session-tenant-store.js';
import { MemorySessionTenantStore, type SessionTenantStore } from '../tenants/session-tenant-store.js';

/** Each rejects on failure. */
export interface RedisProbes {
  readonly answers: () => Promise<void>;
  readonly takesWrites: () => Promise<void>;
}

export interface KeyValue {
  readonly sessions: SessionStore;
  readonly rateLimits: RateLimitStore;
  readonly sessionTenants: SessionTenantStore;
  readonly redis?: RedisProbes;
  readonly close: () => Promise<void>;
}

/** Opens Redis, or in-memory stores without REDIS_URL. */
export async function openKeyValue(config: Config, logger: Logger): Promise<KeyValue> {
  const retentionMs = config.sessions.SESSION_TTL_SECONDS * 1000 + expiredRetentionMs;
  if (config.stores.REDIS_URL === undefined) {
    return {
      sessions: new MemorySessionStore(),
      rateLimits: memoryRateLimitStore(),
      sessionTenants: new MemorySessionTenantStore({ retentionMs }),
      close: async () => {},
    };
  }
  const redis = await openRedis({
    url: config.stores.REDIS_URL,
    ca: config.stores.REDIS_CA,
    logger,
    connectionName: 'ussd-gateway',
  });
  return {
    sessions: new RedisSessionStore(redis.client),
    rateLimits: serviceRateLimitStore(redis, 'ussd', logger),
    sessionTenants: new RedisSessionTenantStore(redis.client, { retentionMs }),
    redis: { answers: redis.ping, takesWrites: redisWrites(redis.client, 'ussd') },
    close: redis.close,
  };
}
