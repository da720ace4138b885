import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../redis/open-redis.js';
import { serviceRateLimitStore } from './redis-rate-limit-store.js';

const logger = pino({ level: 'silent' });
const minute = 60_000;

describe.skipIf(redisUrl === undefined)('counts in Redis', () => {
  let database: Awaited<ReturnType<typeof freshRedis>>;
  let redis: RedisConnection;
  beforeAll(async () => {
    database = await freshRedis();
    redis = await openRedis({ url: database.url, logger, connectionName: 'test' });
  });
  afterAll(async () => {
    await redis.close();
    await database.drop();
  });

  it('include all replicas of a service, and no other service', async () => {
    const [one, two] = [1, 2].map(() => serviceRateLimitStore(redis, 'test', logger));
    const other = serviceRateLimitStore(redis, 'other', logger);
    const hits = await Promise.all([one?.hit('caller', minute), one?.hit('caller', minute)]);
    expect(hits.map((hit) => hit?.count)).toEqual([1, 2]);
    expect((await two?.hit('caller', minute))?.count).toBe(3);
    expect((await other.hit('caller', minute)).count).toBe(1);
  });
});
