import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { key, openRedis, publish, publishCounted, type RedisConnection } from '@mlango/service-kit/redis';
import { failingOver, kindsThatFailOver } from '@mlango/test-services/failing-over';
import { asUser, redisClusterUrl, redisSentinelsUrl } from '@mlango/test-services/redis-kinds';
import { canStartRedis } from '@mlango/test-services/servers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisRunLogStore } from '../src/runs/log/redis.js';
import { runStoreContract } from '../src/runs/log/store.contract.js';
import type { RunLogStore } from '../src/runs/log/store.js';
import { RedisRunSignals } from '../src/runs/redis-signals.js';
import { firstSession, hubBusContract } from '../src/sockets/hub-bus.contract.js';
import { redisRecoveryTickets } from '../src/sockets/recovery.js';
import { recoveryTicketsContract } from '../src/sockets/recovery-tickets.contract.js';
import { redisHubBus } from '../src/sockets/redis-hub-bus.js';

const log = createLogger({ service: 'test', level: 'silent' });
const times = { retentionMs: 60_000, joinAfterMs: 0 };

const storeOn = (connection: RedisConnection) =>
  new RedisRunLogStore(connection.client, connection.subscriber('runs'), times);

describe.skipIf(!canStartRedis).each(kindsThatFailOver)('on $kind', (kind) => {
  /** A separate Redis for the suite. Its connections outlive a test; connections that are `held` wait for its new primaries. */
  const opened = (isReceived?: () => Promise<boolean>) => {
    const redis = failingOver(kind, isReceived);
    const connections: RedisConnection[] = [];
    const connect = async () => {
      const url = asUser(redis.url(), 'mlango-oracle');
      const connection = await openRedis({ url, logger: log, connectionName: 'kinds', commandTimeoutMs: 10_000 });
      connections.push(connection);
      return connection;
    };
    const held = async () => {
      const connection = await connect();
      redis.held(connection.client);
      return connection;
    };
    afterEach(() => Promise.all(connections.splice(0).map((connection) => connection.close())));
    return { held, connect, follow: redis.follow };
  };

  describe('runs', () => {
    const { held } = opened();
    let store: RunLogStore;
    beforeEach(async () => {
      store = storeOn(await held());
    });
    runStoreContract('Redis', () => store);
  });
  describe('tickets', () => {
    const { held } = opened();
    recoveryTicketsContract('Redis', async () => redisRecoveryTickets((await held()).client));
  });
  describe('messages between replicas', () => {
    let aside: RedisConnection['client'];
    let listening: number;
    const channels = [
      key('oracle-api', 'realtime', 'everyone'),
      key('oracle-api', 'realtime', 'all'),
      key('oracle-api', firstSession, 'sockets'),
    ];
    const { held, connect, follow } = opened(async () => {
      const counts = await Promise.all(channels.map((channel) => publishCounted(aside, channel, '')));
      return counts.every((count) => count === listening);
    });
    beforeEach(async () => {
      aside = (await connect()).client;
      follow(aside);
      listening = 0;
    });
    hubBusContract('Redis', () => async () => {
      const { client, subscriber } = await held();
      listening += 1;
      return redisHubBus({ client, subscriber: subscriber('realtime'), log });
    });
  });
});

describe.skipIf(redisClusterUrl === undefined).each([
  ['a cluster', asUser(redisClusterUrl ?? '', 'mlango-oracle')],
  ['a primary with sentinels', asUser(redisSentinelsUrl ?? '', 'mlango-oracle')],
])('on %s', (_, url) => {
  const connections: RedisConnection[] = [];
  const open = async () => {
    const connection = await openRedis({ url, logger: log, connectionName: 'kinds', commandTimeoutMs: 10_000 });
    connections.push(connection);
    return connection;
  };
  afterEach(() => Promise.all(connections.splice(0).map((connection) => connection.close())));

  it('runs are followed from another process while they are written, on every node', async () => {
    const [writer, reader] = [storeOn(await open()), storeOn(await open())];
    const runs = Array.from({ length: 12 }, () => ({ runId: randomUUID(), ownerDid: 'did:key:asha' }));
    await Promise.all(runs.map((run) => writer.begin(run, 'w')));
    const reading = runs.map(async (run) => {
      const ids: number[] = [];
      for await (const frames of reader.follow(run, 0, new AbortController().signal))
        ids.push(...frames.map(({ id }) => id));
      return ids;
    });
    for (let id = 1; id <= 20; id++) {
      const frame = { id, event: 'message', data: `"${id}"`, textLength: id } as const;
      await Promise.all(runs.map((run) => writer.append(run, 'w', [frame])));
    }
    await Promise.all(runs.map((run) => writer.end(run, 'w', false)));
    const all = Array.from({ length: 20 }, (_, at) => at + 1);
    expect(await Promise.all(reading)).toEqual(runs.map(() => all));
  });

  it('stop signals reach other processes, and end signals reach followers of the session', async () => {
    const { client, subscriber } = await open();
    const from = new RedisRunSignals(client, subscriber('stops'));
    const other = await open();
    const to = new RedisRunSignals(other.client, other.subscriber('stops'));
    const received = vi.fn<(word: object) => void>();
    to.listen(received);
    await vi.waitFor(async () => {
      await from.send({ kind: 'stop', runIds: ['r 1', 'r2'] });
      expect(received).toHaveBeenCalledWith({ kind: 'stop', runIds: ['r 1', 'r2'] });
    }, 15_000);
    const [session, foreign] = [randomUUID(), randomUUID()];
    const unfollow = await to.follow(session);
    // A subscription reports an end, because earlier signals may have been missed.
    expect(received).toHaveBeenCalledWith({ kind: 'ended', sessionId: session });
    received.mockClear();
    for (const sessionId of [foreign, session]) await from.send({ kind: 'ended', sessionId });
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith({ kind: 'ended', sessionId: session }), 15_000);
    expect(received).not.toHaveBeenCalledWith({ kind: 'ended', sessionId: foreign });
    unfollow();
    const channel = key('oracle-api', session, 'ended');
    await vi.waitFor(async () => expect(await publishCounted(client, channel, '')).toBe(0), 15_000);
    // In the format of release 0.1.
    received.mockClear();
    for (const text of ['', session]) await publish(client, 'oracle-api:{stops}', text);
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith({ kind: 'ended', sessionId: session }), 15_000);
    expect(received).toHaveBeenCalledWith({ kind: 'stop' });
  });
});
