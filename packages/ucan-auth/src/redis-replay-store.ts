import type { Cluster, Redis } from 'ioredis';
import type { RedisStoreOptions } from './redis-revocation-store.js';
import type { ReplayStore } from './replay-store.js';
import { secondsLeft } from './store-times.js';

/**
 * Used tokens in Redis, for all replicas together: one small key per token, set by whoever comes first, gone by itself a
 * minute after the token has expired. Redis must not evict: give it a `maxmemory-policy` of `noeviction`.
 */
export function redisReplayStore(redis: Redis | Cluster, options: RedisStoreOptions = {}): ReplayStore {
  const { prefix = 'ucan', now } = options;
  return {
    async claim(cid, expiresAt) {
      const lifeSeconds = secondsLeft(expiresAt, now);
      const key = `${prefix}:used:${cid}`;
      const reply =
        lifeSeconds === undefined ? await redis.set(key, 1, 'NX') : await redis.set(key, 1, 'EX', lifeSeconds, 'NX');
      return reply === 'OK';
    },
  };
}
