import { canStartRedis, type RedisCluster, startRedisCluster } from '@mlango/test-services/servers';
import { Cluster, Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { key } from './key.js';
import { openRedis, type RedisConnection } from './open-redis.js';
import { publishCounted } from './redis-client.js';
import type { RedisSubscriber } from './redis-subscriber.js';

const SOON = { timeout: 30_000, interval: 25 };
const namesOf = (of: string) => Array.from({ length: 24 }, (_, at) => key('masters', `${of}-${at}`, 'word'));

describe.skipIf(!canStartRedis)('masters of a cluster that change by agreement', { timeout: 180_000 }, () => {
  let redis: RedisCluster;
  let reader: RedisConnection;
  let teller: RedisConnection;
  let listener: RedisConnection;
  let words: RedisSubscriber;
  const received: string[] = [];
  const listen = (name: string) => words.listen(name, (text) => void received.push(`${name} ${text}`));
  const publish = (names: readonly string[], text: string) =>
    Promise.all(names.map((name) => publishCounted(teller.client, name, text)));
  const early = namesOf('early');

  beforeAll(async () => {
    redis = await startRedisCluster();
    const open = (connectionName: string) =>
      openRedis({ url: redis.url, logger: pino({ level: 'silent' }), connectionName, commandTimeoutMs: 10_000 });
    [reader, teller, listener] = [await open('reader'), await open('teller'), await open('listener')];
    words = listener.subscriber('words');
    await Promise.all(early.map((name) => listen(name).within(SOON.timeout)));
    expect(await publish(early, 'before')).toEqual(early.map(() => 1));
    // Only the former masters know the new places of the slots.
    vi.spyOn(Cluster.prototype, 'refreshSlotsCache').mockImplementation((done) => done?.());
    await redis.failOver();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await Promise.all([reader, teller, listener].map(({ close }) => close()));
    await redis.remove();
  });

  it('still deliver messages to old and new subscribers, and all are counted', async () => {
    const late = namesOf('late');
    await Promise.all(late.map((name) => listen(name).within(SOON.timeout)));
    const all = [...early, ...late];
    await vi.waitFor(async () => expect(await publish(all, 'count')).toEqual(all.map(() => 1)), SOON);
    await publish(all, 'once');
    const once = () => received.filter((word) => word.endsWith(' once')).toSorted();
    await vi.waitFor(() => expect(once()).toEqual(all.map((name) => `${name} once`).toSorted()), SOON);
  });

  it('are read by clients with an outdated slot table, also if a former master holds an older value', async () => {
    for (const { url } of redis.nodes.slice(0, 3)) {
      const former = new Redis(url);
      await former.config('SET', 'masterauth', 'of-nobody');
      await former.call('CLIENT', 'KILL', 'TYPE', 'master');
      former.disconnect();
    }
    await Promise.all(early.map((name) => teller.client.set(name, 'new')));
    expect(await Promise.all(early.map((name) => reader.client.get(name)))).toEqual(early.map(() => 'new'));
  });
});
