import { freshRedisClient, redisUrl } from '@mlango/test-services/real-redis';
import fc from 'fast-check';
import { it } from 'vitest';
import { RedisSessionStore } from '../../src/sessions/redis-session-store.js';
import type { SessionStore } from '../../src/sessions/session-store.js';
import { delivery, play, type Two } from './parallel-hops-model.fixture.js';

const title = 'a session in Redis agrees with the table of its dialogue, over retries, late duplicates and lost data';
it.skipIf(redisUrl === undefined)(title, async () => {
  const { client: redis, drop } = await freshRedisClient();
  const empty = async (): Promise<Two<SessionStore>> => {
    await redis.flushdb();
    return [new RedisSessionStore(redis), new RedisSessionStore(redis)];
  };
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { maxLength: 15 }), (deliveries) => play(deliveries, 's', empty)),
      { numRuns: 40 },
    );
  } finally {
    await drop();
  }
});
