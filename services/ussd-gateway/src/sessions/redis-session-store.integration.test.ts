import { setTimeout as sleep } from 'node:timers/promises';
import { freshRedisClient, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysOf, liveKeysOf, resumePointKeyOf } from './redis-session-keys.js';
import { RedisSessionStore } from './redis-session-store.js';
import { sessionStoreContract } from './session-store.contract.js';
import { anyRecord } from './session-store.fixture.js';
import { expiredRetentionMs } from './session-store.js';

describe.skipIf(redisUrl === undefined)('sessions in Redis', () => {
  let redis: Redis;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ client: redis, drop } = await freshRedisClient());
  });

  afterAll(() => drop());

  const openEmpty = async () => {
    await redis.flushdb();
    return { store: new RedisSessionStore(redis), pass: (ms: number) => sleep(ms + 1), skips: false };
  };

  const save = async (store: RedisSessionStore, record: ReturnType<typeof anyRecord>, liveMs: number) => {
    const hold = await store.hold(record, 5000);
    return hold.kind === 'held' && (await store.save(hold.lock, record, liveMs));
  };

  sessionStoreContract(openEmpty);

  it('are seen by every process on the same Redis', async () => {
    const { store } = await openEmpty();
    const other = new RedisSessionStore(redis);
    const record = anyRecord();
    await save(store, record, 60_000);
    expect((await other.hold(record, 1000)).kind).toBe('held');
    expect((await store.hold(record, 1000)).kind).toBe('busy');
    expect(await other.listLive('default')).toEqual([record.sessionId]);
  });

  it('leave no key without an expiry', async () => {
    const { store } = await openEmpty();
    for (let index = 0; index < 50; index++) await save(store, anyRecord(), index % 2 === 0 ? 60_000 : 0);
    const keys = await redis.keys('*');
    expect(keys.length).toBeGreaterThan(50);
    for (const key of keys) {
      const left = await redis.pttl(key);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(60_000 + expiredRetentionMs);
    }
  });

  it('have an index that drops expired sessions as others are saved', async () => {
    const { store } = await openEmpty();
    const phoneNumber = '+260971111111';
    for (let index = 0; index < 20; index++) await save(store, anyRecord({ phoneNumber }), 50);
    await sleep(60);
    await save(store, anyRecord({ phoneNumber }), 60_000);
    const sizes = await Promise.all(liveKeysOf('default').map((key) => redis.zcard(key)));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1);
  });

  it('have all keys of one hop in one hash slot', async () => {
    for (let index = 0; index < 100; index++) {
      const record = anyRecord();
      const { session, lock, live } = keysOf(record);
      const place = resumePointKeyOf(record, record.serviceCode);
      const tag = /\{\d+\}/.exec(session)?.[0];
      expect(tag).toBeDefined();
      expect([lock, live, place].every((key) => key.includes(tag ?? '?'))).toBe(true);
    }
  });

  it('are readable after a restart of Redis that lost the scripts', async () => {
    const { store } = await openEmpty();
    const record = anyRecord();
    await save(store, record, 60_000);
    await redis.script('FLUSH');
    expect(await store.hold(record, 1000)).toMatchObject({ session: { phase: 'live' } });
  });

  it('in a shape that this release cannot read count as unknown', async () => {
    const { store } = await openEmpty();
    const record = anyRecord();
    for (const stored of ['{"sessionId":1}', 'not json', '[]']) {
      await redis.set(keysOf(record).session, stored, 'PX', 60_000 + expiredRetentionMs);
      const hold = await store.hold(record, 1000);
      expect(hold).toMatchObject({ kind: 'held', session: undefined });
      if (hold.kind === 'held') await store.release(record, hold.lock);
    }
  });

  it('and their resume points are stored without a number in any key', async () => {
    const { store } = await openEmpty();
    const record = anyRecord();
    const hold = await store.hold(record, 5000);
    const place = { sessionId: record.sessionId, flow: record.flow, place: record.position };
    if (hold.kind === 'held') await store.save(hold.lock, record, 1000, { point: place, retentionMs: 1000 });
    const keys = await redis.keys('*');
    expect(keys).toContain(resumePointKeyOf(record, record.serviceCode));
    expect(keys.join()).not.toContain(record.phoneNumber.slice(4));
  });

  it('with an unreadable resume point have none', async () => {
    const { store } = await openEmpty();
    const record = anyRecord();
    await redis.set(resumePointKeyOf(record, record.serviceCode), `${keysOf(record).owner}{"place":1}`, 'PX', 60_000);
    expect(await store.hold(record, 1000, record.serviceCode)).toMatchObject({ resumePoint: undefined });
  });

  it.skipIf(!canStartRedis)('take two round trips per hop', async () => {
    // Counters of the server cover all its clients.
    const server = await startRedis();
    const client = new Redis(server.url);
    try {
      const store = new RedisSessionStore(client);
      const record = anyRecord();
      await save(store, record, 60_000);
      const before = await commandCount(client);
      await save(store, record, 60_000);
      expect((await commandCount(client)) - before).toBe(2);
    } finally {
      client.disconnect();
      await server.remove();
    }
  });
});

/** Calls by clients: commands of scripts inside the server are counted separately from `evalsha`. */
async function commandCount(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return (
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0) +
    Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1] ?? 0)
  );
}
