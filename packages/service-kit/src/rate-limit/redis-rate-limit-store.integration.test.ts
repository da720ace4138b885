import { setTimeout as sleep } from 'node:timers/promises';
import { failingOver, kindsThatFailOver } from '@mlango/test-services/failing-over';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../redis/open-redis.js';
import { describeRateLimitStore } from './rate-limit-store.contract.js';
import { redisRateLimitStore } from './redis-rate-limit-store.js';

describe.skipIf(redisUrl === undefined)('with a real Redis', () => {
  const logger = pino({ level: 'silent' });
  let database: Awaited<ReturnType<typeof freshRedis>>;
  let connections: RedisConnection[];
  beforeAll(async () => {
    database = await freshRedis();
    const open = (connectionName: string) => openRedis({ url: database.url, logger, connectionName });
    connections = await Promise.all([open('one'), open('two')]);
  });
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await database.drop();
  });

  let turn = 0;
  /** The connections of two replicas, alternating. */
  const client = () => {
    turn += 1;
    const connection = connections[turn % connections.length];
    if (connection === undefined) throw new Error('no connection');
    return connection.client;
  };

  describeRateLimitStore('the rate limit in Redis', {
    store: () => redisRateLimitStore(client()),
    pass: (ms) => sleep(ms),
  });

  it('continues to count after the server lost its scripts', async () => {
    const store = redisRateLimitStore(client());
    await store.hit('forgotten', 60_000);
    await client().script('FLUSH');
    expect((await store.hit('forgotten', 60_000)).count).toBe(2);
  });

  it('stores no key that outlives its window, and repairs a counter without expiry', async () => {
    const store = redisRateLimitStore(client(), { service: 'mended' });
    await store.hit('key', 60_000);
    const [stored] = await client().keys('mended:*');
    expect(stored).toBe('mended:{=key}:hits:60000');
    await client().persist(stored ?? '');
    expect(await store.hit('key', 60_000)).toEqual({ count: 2, resetMs: 60_000 });
    expect(await client().pttl(stored ?? '')).toBeGreaterThan(0);
  });

  it('counts separately for two services', async () => {
    await redisRateLimitStore(client(), { service: 'one' }).hit('key', 60_000);
    expect((await redisRateLimitStore(client(), { service: 'two' }).hit('key', 60_000)).count).toBe(1);
  });
});

describe.skipIf(!canStartRedis).each(kindsThatFailOver)('on $kind', (kind) => {
  const redis = failingOver(kind);
  let connection: RedisConnection;
  beforeAll(async () => {
    const logger = pino({ level: 'silent' });
    connection = await openRedis({ url: redis.url(), logger, connectionName: 'limits', commandTimeoutMs: 10_000 });
    redis.held(connection.client);
  });
  afterAll(() => connection.close());

  describeRateLimitStore('the rate limit', {
    store: () => redisRateLimitStore(connection.client),
    pass: (ms) => sleep(ms),
  });
});
