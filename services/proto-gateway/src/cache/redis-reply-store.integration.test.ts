import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { failingOver, kindsThatFailOver } from '@mlango/test-services/failing-over';
import { redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisReplyStore } from './redis-reply-store.js';

const logger = createLogger({ service: 'test', level: 'silent' });

const connect = (url: string) => openRedis({ url, logger, connectionName: 'replies', commandTimeoutMs: 10_000 });

/** Tests of a store that replicas share. */
function replyStoreContract(client: () => RedisConnection['client']): void {
  const open = (limitBytes = 10_000_000) =>
    redisReplyStore(client(), { service: `test-${randomUUID()}`, limitBytes, ttlMs: 60_000 });
  const value = Buffer.from('a reply');

  it('are found once saved, and published to waiting replicas', async () => {
    const store = open();
    const names = Array.from({ length: 40 }, (_each, at) => `query ${at}`);
    await Promise.all(
      names.map(async (name) => {
        // Tokens are unique, as in production.
        const [first, second] = [randomUUID(), randomUUID()];
        expect([await store.claim(name, first, 5000), await store.claim(name, second, 5000)]).toEqual([first, first]);
        expect(await store.hasWaiters(name)).toBe(true);
        expect(await store.poll(name, first)).toEqual({ value: undefined, isClaimed: true });
        await store.publish(name, first, value);
        expect(await store.poll(name, first)).toEqual({ value, isClaimed: true });
        await store.release(name, first);
        await store.save(name, value);
        expect(await store.find(name)).toEqual(value);
      }),
    );
  });

  it('are evicted beyond the limit of bytes, the oldest first', async () => {
    const store = open(16 * 2000);
    const names = Array.from({ length: 320 }, (_each, at) => `query ${at}`);
    for (const name of names) await store.save(name, Buffer.alloc(100));
    const saved = await Promise.all(names.map((name) => store.find(name)));
    const count = saved.filter((each) => each !== undefined).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(16 * 5);
    expect(saved.at(-1)).toBeDefined();
  });
}

describe.skipIf(redisUrl === undefined)('replies that replicas share on one server', () => {
  let redis: RedisConnection;
  beforeAll(async () => {
    redis = await connect(redisUrl ?? '');
  });
  afterAll(() => redis.close());
  replyStoreContract(() => redis.client);
});

describe.skipIf(!canStartRedis).each(kindsThatFailOver)('replies that replicas share on $kind', (kind) => {
  const moving = failingOver(kind);
  let redis: RedisConnection;
  beforeAll(async () => {
    redis = await connect(moving.url());
    moving.held(redis.client);
  });
  afterAll(() => redis.close());
  replyStoreContract(() => redis.client);
});
