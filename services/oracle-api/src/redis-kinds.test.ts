import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { asUser, redisClusterUrl, redisSentinelsUrl } from '@mlango/test-services/redis-kinds';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hubBusContract } from './realtime/hub-bus.contract.js';
import { recoveryTicketsContract } from './realtime/recovery-tickets.contract.js';
import { redisHubBus } from './realtime/redis-hub-bus.js';
import { redisRecoveryTickets } from './realtime/redis-recovery-tickets.js';
import { RedisRunSignals } from './runs/redis-run-signals.js';
import { RedisRunStore } from './runs/redis-run-store.js';
import { runStoreContract } from './runs/run-store.contract.js';

const log = createLogger({ service: 'test', level: 'silent' });
const times = { retentionMs: 60_000, joinAfterMs: 0 };

describe.skipIf(redisClusterUrl === undefined).each([
  ['a cluster', asUser(redisClusterUrl ?? '', 'mlango-oracle')],
  ['a primary that sentinels know', redisSentinelsUrl ?? ''],
])('on %s', (kind, url) => {
  const open = () => openRedis({ url, logger: log, connectionName: 'oracle-kinds', commandTimeoutMs: 10_000 });
  let [one, other]: RedisConnection[] = [];
  const buses: RedisConnection[] = [];
  beforeAll(async () => {
    [one, other] = [await open(), await open()];
  });
  afterEach(() => Promise.all(buses.splice(0).map((connection) => connection.close())));
  afterAll(() => Promise.all([one?.close(), other?.close()]));
  const of = (connection: RedisConnection | undefined): RedisConnection => {
    if (connection === undefined) throw new Error('not open yet');
    return connection;
  };
  const storeOn = (connection: RedisConnection) =>
    new RedisRunStore(connection.client, connection.subscriber('runs'), times);

  runStoreContract(kind, () => storeOn(of(one)));
  recoveryTicketsContract(kind, async () => redisRecoveryTickets(of(one).client));
  hubBusContract(kind, () => async () => {
    const connection = await open();
    buses.push(connection);
    return redisHubBus({ client: connection.client, subscriber: connection.subscriber('realtime'), log });
  });

  it('runs are followed from another process while they are written, wherever they lie', async () => {
    const [writer, reader] = [storeOn(of(one)), storeOn(of(other))];
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

  it('word of stops reaches other processes', async () => {
    const [from, to] = [of(one), of(other)].map(
      ({ client, subscriber }) => new RedisRunSignals(client, subscriber('stops')),
    );
    const told = vi.fn<(word: object) => void>();
    to?.listen(told);
    await vi.waitFor(async () => {
      await from?.send({ kind: 'stop' });
      expect(told).toHaveBeenCalledWith({ kind: 'stop' });
    });
  });
});
