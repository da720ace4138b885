import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { key, openRedis, publish, type RedisConnection } from '@mlango/service-kit/redis';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { redisClusterUrl } from '@mlango/test-services/redis-kinds';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BusMessage, SessionMessage } from './hub-bus.js';
import { OlderReplicas, redisHubBus } from './redis-hub-bus.js';

const log = createLogger({ service: 'test', level: 'silent' });
const SOON = { timeout: 15_000, interval: 25 };
const word = (memberId: string): SessionMessage => ({
  kind: 'member_moved',
  memberId,
  sessionId: 's',
  did: 'did:key:asha',
});

describe.skipIf(redisUrl === undefined).each(['one server', 'a cluster'])('during a rolling upgrade on %s', (kind) => {
  const connections: RedisConnection[] = [];
  let url: string;
  let drop: () => Promise<unknown> = async () => undefined;
  let service: string;
  beforeAll(async () => {
    const fresh = await freshRedis();
    drop = fresh.drop;
    url = kind === 'a cluster' ? (redisClusterUrl ?? '') : fresh.url;
  });
  afterEach(async () => {
    await Promise.all(connections.splice(0).map(({ close }) => close()));
  });
  afterAll(() => drop());

  const connect = async () => {
    const connection = await openRedis({ url, logger: log, connectionName: 'older', commandTimeoutMs: 10_000 });
    connections.push(connection);
    return connection;
  };
  const newService = () => {
    service = `test-${randomUUID()}`;
    return { theirs: key(service, 'realtime', 'all'), ours: key(service, 'realtime', 'everyone') };
  };
  const newer = async (...sessions: string[]) => {
    const { client, subscriber } = await connect();
    const bus = redisHubBus({ client, subscriber: subscriber('realtime'), log, service });
    const got: BusMessage[] = [];
    await bus.listen(randomUUID(), (message) => got.push(message));
    await Promise.all(sessions.map((session) => bus.follow(session)));
    return { bus, got };
  };
  /** Like release 0.1: all messages go to all replicas on one channel, with the sender as prefix. */
  const older = async (name: string) => {
    const { client, subscriber } = await connect();
    const got: BusMessage[] = [];
    const listening = subscriber('realtime').listen(key(service, 'realtime', 'all'), (text) => {
      if (!text.startsWith(`${name} `)) got.push(JSON.parse(text.slice(text.indexOf(' ') + 1)) as BusMessage);
    });
    await listening.within(SOON.timeout);
    const say = (message: BusMessage) =>
      publish(client, key(service, 'realtime', 'all'), `${name} ${JSON.stringify(message)}`);
    return { got: () => got.filter((message) => message.kind !== 'withdraw'), say };
  };

  it("replicas of both releases receive each other's messages once", async () => {
    newService();
    const [old, aside] = [await older('old'), await older('aside')];
    const [one, two] = [await newer('s'), await newer('s')];
    expect(await one.bus.publishCounted(word('a'))).toBe(3);
    const taken: BusMessage = { kind: 'taken_back', cid: 'c', issuer: 'i' };
    await one.bus.broadcast(taken);
    for (const { got } of [old, aside]) await vi.waitFor(() => expect(got()).toEqual([word('a'), taken]), SOON);
    await old.say(word('b'));
    await vi.waitFor(() => expect(aside.got().at(-1)).toEqual(word('b')), SOON);
    for (const [{ got }, expected] of [
      [one, [word('b')]],
      [two, [word('a'), taken, word('b')]],
    ] as const) {
      const known = () => got.filter((message) => message.kind !== 'withdraw');
      await vi.waitFor(() => expect(known().at(-1)).toEqual(word('b')), SOON);
      expect(known()).toEqual(expected);
    }
  });

  it('a question counts the older replicas of its own moment', async () => {
    newService();
    const asking = await newer('s');
    expect(await asking.bus.publishCounted(word('a'))).toBe(0);
    const started = [await older('one'), await older('two')];
    expect(await asking.bus.publishCounted(word('b'))).toBe(2);
    for (const { got } of started) await vi.waitFor(() => expect(got()).toEqual([word('b')]), SOON);
  });

  it('older replicas are counted until the last one has disconnected', async () => {
    const channels = newService();
    const { client } = await connect();
    const replicas = new OlderReplicas(client, channels);
    expect(await replicas.publishCounted('{}')).toBe(0);
    const old = await connect();
    await old
      .subscriber('realtime')
      .listen(channels.theirs, () => {})
      .within(SOON.timeout);
    expect(await replicas.publishCounted('{}')).toBe(1);
    await old.close();
    await vi.waitFor(async () => expect(await replicas.publishCounted('{}')).toBe(0), SOON);
  });
});
