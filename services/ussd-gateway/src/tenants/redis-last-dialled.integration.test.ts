import { setTimeout as sleep } from 'node:timers/promises';
import { freshRedisClient, redisUrl } from '@mlango/test-services/real-redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe } from 'vitest';
import { lastDialledContract } from './last-dialled.contract.js';
import { RedisLastDialled } from './redis-last-dialled.js';

describe.skipIf(redisUrl === undefined)('the last dialled tenant, in Redis', () => {
  let redis: Redis;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ client: redis, drop } = await freshRedisClient());
  });
  afterAll(() => drop());

  lastDialledContract(async (retentionMs) => {
    await redis.flushdb();
    return { dialled: new RedisLastDialled(redis, { retentionMs }), pass: (ms) => sleep(ms + 1) };
  });
});
