import { freshRedisClient, redisUrl } from '@mlango/test-services/real-redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyticsStoreContract } from './analytics-store.contract.js';
import { RedisAnalyticsStore } from './redis-analytics-store.js';

describe.skipIf(redisUrl === undefined)('analytics in Redis', () => {
  let redis: Redis;
  let drop: () => Promise<void>;
  const openEmpty = async () => {
    await redis.flushdb();
    return new RedisAnalyticsStore(redis, 'default');
  };

  beforeAll(async () => {
    ({ client: redis, drop } = await freshRedisClient());
  });
  afterAll(() => drop());

  analyticsStoreContract(openEmpty);

  it('are the sums of all processes, and leave no key without an expiry', async () => {
    const one = await openEmpty();
    const two = new RedisAnalyticsStore(redis, 'default');
    await one.add({ id: 'one', hour: 5, counts: new Map([['f|a|visit|', 2]]) });
    await two.add({ id: 'two', hour: 5, counts: new Map([['f|a|visit|', 3]]) });
    expect((await one.read(5, 5)).get(5)?.get('f|a|visit|')).toBe(5);
    for (const name of await redis.keys('*')) expect(await redis.pttl(name)).toBeGreaterThan(0);
  });
});
