import { setTimeout as sleep } from 'node:timers/promises';
import { freshRedisClient, redisUrl } from '@mlango/test-services/real-redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe } from 'vitest';
import { RedisSessionTenantStore } from './redis-session-tenant-store.js';
import { sessionTenantStoreContract } from './session-tenant-store.contract.js';

describe.skipIf(redisUrl === undefined)('the tenant of a session, in Redis', () => {
  let redis: Redis;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ client: redis, drop } = await freshRedisClient());
  });
  afterAll(() => drop());

  sessionTenantStoreContract(async (retentionMs) => {
    await redis.flushdb();
    return { tenants: new RedisSessionTenantStore(redis, { retentionMs }), pass: (ms) => sleep(ms + 1) };
  });
});
