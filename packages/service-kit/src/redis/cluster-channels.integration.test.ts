import { canStartRedis, type RedisCluster, startRedisCluster } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { key } from './key.js';
import { openRedis, type RedisConnection } from './open-redis.js';
import { publishCounted } from './redis-client.js';
import type { RedisSubscriber } from './redis-subscriber.js';

const SOON = { timeout: 60_000, interval: 50 };
const namesOf = (of: string, count: number) =>
  Array.from({ length: count }, (_, at) => key('channels', `${of}-${at}`, 'word'));

describe.skipIf(!canStartRedis)('many channels of a cluster', { timeout: 240_000 }, () => {
  let redis: RedisCluster;
  let connection: RedisConnection;
  let subscriber: RedisSubscriber;
  let masters: Redis[];
  const received: string[] = [];
  const listen = (name: string) => subscriber.listen(name, (text) => void received.push(`${name} ${text}`));
  /** Publishes one message on each channel; resolves with the number of receivers of each. */
  const publish = (names: readonly string[], text = 'x') =>
    Promise.all(names.map((name) => publishCounted(connection.client, name, text).catch(() => -1)));
  const areReceivedOnce = (names: readonly string[]) =>
    vi.waitFor(async () => expect(await publish(names)).toEqual(names.map(() => 1)), SOON);
  const slotOf = async (name: string) => Number(await masters[1]?.cluster('KEYSLOT', name));

  const early = namesOf('early', 400);
  beforeAll(async () => {
    redis = await startRedisCluster({ nodeTimeoutMs: 1_500 });
    masters = redis.nodes.slice(0, 3).map(({ url }) => new Redis(url, { retryStrategy: null }));
    for (const master of masters) master.on('error', () => {});
    const logger = pino({ level: 'silent' });
    connection = await openRedis({ url: redis.url, logger, connectionName: 'many', commandTimeoutMs: 500 });
    subscriber = connection.subscriber('words');
    await Promise.all(early.map((name) => listen(name).within(SOON.timeout)));
  });
  afterAll(async () => {
    for (const master of masters) master.disconnect();
    await connection.close();
    await redis.remove();
  });

  it('are each subscribed at the master of their slot, until the last listener leaves', async () => {
    await areReceivedOnce(early);
    const shares = await Promise.all(masters.map(async (master) => (await shardChannels(master)).length));
    expect(shares.every((share) => share > 50)).toBe(true);
    const some = namesOf('some', 50).map(listen);
    await Promise.all(some.map(({ within }) => within(SOON.timeout)));
    for (const { end } of some) end();
    await vi.waitFor(async () => expect(await publish(namesOf('some', 50))).toEqual(some.map(() => 0)), SOON);
  });

  it('are delivered after their slot moved to another master', async () => {
    const [name = ''] = early;
    const slot = await slotOf(name);
    const ids = await Promise.all(masters.map(async (master) => String(await master.cluster('MYID'))));
    const owners = await Promise.all(masters.map(async (master) => (await shardChannels(master)).includes(name)));
    const [from, to] = [owners.indexOf(true), (owners.indexOf(true) + 1) % 3];
    await masters[to]?.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[from] ?? '');
    await masters[from]?.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[to] ?? '');
    for (const at of [to, from, 3 - to - from])
      await masters[at]?.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[to] ?? '');
    await areReceivedOnce(early);
    const late = listen(name);
    late.end();
    await areReceivedOnce([name]);
  });

  it('are delivered again after a master was killed, including channels subscribed meanwhile', async () => {
    await redis.replicated();
    await redis.nodes[0]?.kill();
    const during = namesOf('during', 60);
    const ended = namesOf('gone', 60).map(listen);
    const listening = during.map(listen);
    // Channels at other masters are not delayed.
    await vi.waitFor(() => expect(listening.filter(({ isConfirmed }) => isConfirmed).length).toBeGreaterThan(15), SOON);
    for (const { end } of ended) end();
    await Promise.all(listening.map(({ within }) => within(SOON.timeout)));
    expect(listening.map(({ isConfirmed }) => isConfirmed)).toEqual(during.map(() => true));
    await areReceivedOnce([...early, ...during]);
    const all = [...early, ...during];
    await publish(all, 'once');
    const once = () => received.filter((word) => word.endsWith(' once')).toSorted();
    await vi.waitFor(() => expect(once()).toEqual(all.map((name) => `${name} once`).toSorted()), SOON);
    await vi.waitFor(async () => expect(await publish(namesOf('gone', 60))).toEqual(ended.map(() => 0)), SOON);
  });
});

const shardChannels = async (master: Redis) => (await master.call('PUBSUB', 'SHARDCHANNELS')) as string[];
