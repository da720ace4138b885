import { setTimeout as sleep } from 'node:timers/promises';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe } from 'vitest';
import { lastDialledContract } from './last-dialled.contract.js';
import { RedisLastDialled } from './redis-last-dialled.js';

describe.skipIf(redisUrl === undefined)('what was dialled last, in Redis', () => {
  let database: Awaited<ReturnType<typeof freshRedis>>;
  let redis: Redis;

  beforeAll(async () => {
    database = await freshRedis();
    redis = new Redis(database.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await database.drop();
  });

  lastDialledContract(async (keptMs) => {
    await redis.flushdb();
    return { dialled: new RedisLastDialled(redis, { keptMs }), pass: (ms) => sleep(ms + 1) };
  });
});
