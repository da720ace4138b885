import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunWriter } from './append.js';
import { RedisRunLogStore } from './redis.js';
import { keysOf } from './redis-scripts.js';
import { runStoreContract } from './store.contract.js';
import type { RunFrame, RunKey } from './store.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const open = (url: string) => openRedis({ url, logger, connectionName: 'runs-test', commandTimeoutMs: 10_000 });
const SOON = { timeout: 15_000, interval: 25 };
const storeOn = (redis: RedisConnection) =>
  new RedisRunLogStore(redis.client, redis.subscriber('runs'), { retentionMs: 60_000 });
const frame = (id: number, data = `"${id}"`): RunFrame => ({ id, event: 'message', data, textLength: id });
const word = JSON.stringify({ content: 'word ', timestamp: new Date(0).toISOString() });
/** The ids that a reader of a whole run has received, and whether it has ended. */
function followed(store: RedisRunLogStore, run: RunKey) {
  const ids: number[] = [];
  const read = async () => {
    for await (const frames of store.follow(run, 0, new AbortController().signal))
      ids.push(...frames.map(({ id }) => id));
  };
  return { ids, reading: read() };
}
const newRun = () => ({ runId: randomUUID(), ownerDid: 'did:key:asha' });

describe.skipIf(redisUrl === undefined)('real', () => {
  let fresh: Awaited<ReturnType<typeof freshRedis>>;
  let redis: RedisConnection;
  let other: RedisConnection;
  beforeAll(async () => {
    fresh = await freshRedis();
    [redis, other] = [await open(fresh.url), await open(fresh.url)];
  });
  afterAll(async () => {
    await Promise.all([redis.close(), other.close()]);
    await fresh.drop();
  });

  runStoreContract('Redis', () => storeOn(redis));

  it('a run is followed from another process, from any frame, while it is written', async () => {
    const [writer, reader] = [storeOn(redis), storeOn(other)];
    const run = newRun();
    await writer.begin(run, 'w');
    const reading = Array.from({ length: 20 }, async (_, after) => {
      const ids: number[] = [];
      for await (const frames of reader.follow(run, after, new AbortController().signal))
        ids.push(...frames.map(({ id }) => id));
      return ids;
    });
    for (let id = 1; id <= 40; id++) await writer.append(run, 'w', [frame(id)]);
    await writer.end(run, 'w', false);
    for (const [after, ids] of (await Promise.all(reading)).entries())
      expect(ids).toEqual(Array.from({ length: 40 - after }, (_, index) => after + index + 1));
  });

  it('a log that lost its last frames is started again, and no reader misses a part of the answer', async () => {
    const [store, reader] = [storeOn(redis), storeOn(other)];
    const run = { ...newRun(), sessionId: 's', requestId: 'q' };
    await store.begin(run, 'w');
    const writer = new RunWriter({
      store,
      run,
      writerId: 'w',
      now: () => new Date(0),
      isHeld: async () => true,
      retryMs: 10,
      patienceMs: 1000,
      onTakenOver: () => undefined,
      onBroken: () => undefined,
    });
    writer.write({ event: 'run', data: { runId: run.runId, sessionId: 's', requestId: 'q' } });
    const write = async (from: number, to: number) => {
      for (let count = from; count <= to; count++) {
        writer.write({ event: 'message', data: { content: `${count} `, timestamp: '' } });
        await writer.flush();
      }
    };
    await write(1, 8);
    const { head, stream } = keysOf(run);
    for (const id of [7, 8, 9]) await redis.client.xdel(stream, `${id}-0`);
    await redis.client.hset(head, 'last', 6);
    await write(9, 12);
    await writer.end(false);
    const frames = (await reader.read(run, 0))?.frames ?? [];
    for (const after of [0, 4, 6, 8, 9, 10]) {
      const seen = Array.from({ length: Math.max(0, after - 1) }, (_, index) => `${index + 1} `).join('');
      const texts = frames.filter(({ id, event }) => id > after && event === 'message').map(({ data }) => data);
      const rest = texts.map((data) => (JSON.parse(data) as { content: string }).content).join('');
      expect(seen + rest).toBe('1 2 3 4 5 6 7 8 9 10 11 12 ');
    }
  });

  it('a reader in the process of the writer is notified by it, and by a writer that takes over on another replica', async () => {
    const writer = new RedisRunLogStore(redis.client, redis.subscriber('runs'), { retentionMs: 60_000, lookMs: 50 });
    const taker = storeOn(other);
    const run = newRun();
    await writer.begin(run, 'w');
    const { ids, reading } = followed(writer, run);
    await writer.append(run, 'w', [frame(1)]);
    await vi.waitFor(() => expect(ids).toEqual([1]), SOON);
    expect(await redis.client.pubsub('CHANNELS', `*${run.runId}*`)).toEqual([]);
    await taker.takeOver(run, 't');
    await taker.append(run, 't', [frame(2)]);
    await vi.waitFor(() => expect(ids).toEqual([1, 2]), SOON);
    await expect(writer.append(run, 'w', [frame(2)])).rejects.toThrow('another writer');
    await taker.append(run, 't', [frame(3)]);
    await taker.end(run, 't', true);
    await reading;
    expect(ids).toEqual([1, 2, 3]);
  });

  it('a reader in the process of the writer gets the last frames without a Redis query', async () => {
    const store = storeOn(redis);
    const run = newRun();
    await store.begin(run, 'w');
    const { ids, reading } = followed(store, run);
    await store.append(run, 'w', [frame(1)]);
    await vi.waitFor(() => expect(ids).toEqual([1]), SOON);
    const queries = vi.spyOn(redis.client, 'evalsha');
    await store.end(run, 'w', false, [frame(2), frame(3)]);
    await reading;
    expect([ids, queries.mock.calls.length]).toEqual([[1, 2, 3], 1]);
    queries.mockRestore();
  });

  it('a reader of a suspended run is notified by the next writer, and this process holds nothing for it', async () => {
    const store = storeOn(redis);
    const run = newRun();
    await store.begin(run, 'w');
    const { ids, reading } = followed(store, run);
    await store.append(run, 'w', [frame(1)]);
    await vi.waitFor(() => expect(ids).toEqual([1]), SOON);
    store.pause(run);
    await vi.waitFor(async () => expect(await redis.client.pubsub('CHANNELS', `*${run.runId}*`)).toHaveLength(1), SOON);
    await store.append(run, 'w', [frame(2)]);
    await store.end(run, 'w', false, [frame(3)]);
    await reading;
    expect(ids).toEqual([1, 2, 3]);
  });

  it('stores a run for minutes once its answer is stored, with at most 40 bytes for a word', async () => {
    const store = new RedisRunLogStore(redis.client, redis.subscriber('runs'), {
      retentionMs: 60_000,
      framesMs: 30_000,
    });
    const [answered, unanswered] = [newRun(), newRun()];
    for (const run of [answered, unanswered]) {
      await store.begin(run, 'w');
      const frames = Array.from({ length: 500 }, (_, index) => frame(index + 1, word));
      for (const each of frames) await store.append(run, 'w', [each]);
      await store.end(run, 'w', run === answered);
    }
    const bytesAndMs = async ({ runId }: { runId: string }) => {
      const keys = await redis.client.keys(`*${runId}*`);
      const bytes = await Promise.all(keys.map((name) => redis.client.memory('USAGE', name)));
      return [
        bytes.reduce<number>((sum, each) => sum + (each ?? 0), 0),
        ...(await Promise.all(keys.map((k) => redis.client.pttl(k)))),
      ];
    };
    const [answeredBytes = 0, ...answeredMs] = await bytesAndMs(answered);
    const [, ...unansweredMs] = await bytesAndMs(unanswered);
    expect(answeredMs).not.toEqual([]);
    expect(answeredMs.every((ms) => ms > 0 && ms <= 30_000)).toBe(true);
    expect(unansweredMs.every((ms) => ms > 30_000)).toBe(true);
    expect(answeredBytes / 500).toBeLessThan(40);
  });

  it('every key of a run expires and lies in one hash slot', async () => {
    const store = storeOn(redis);
    const run = newRun();
    await store.begin(run, 'w');
    await store.append(run, 'w', [frame(1)]);
    const keys = await redis.client.keys(`*${run.runId}*`);
    expect(keys).toHaveLength(2);
    for (const name of keys) {
      expect(name).toContain(`{${run.runId}}`);
      expect(await redis.client.pttl(name)).toBeGreaterThan(0);
    }
  });
});

describe.skipIf(!canStartRedis)('an unavailable Redis', () => {
  it('rejects writers, and readers continue at their position after its recovery', async () => {
    const server = await startRedis({ persist: true });
    const redis = await open(server.url);
    const store = storeOn(redis);
    const run = newRun();
    await store.begin(run, 'w');
    await store.append(run, 'w', [frame(1)]);
    const { ids, reading } = followed(store, run);
    await vi.waitFor(() => expect(ids).toEqual([1]), SOON);
    await server.kill();
    await expect(store.append(run, 'w', [frame(2)])).rejects.toThrow();
    await server.restart();
    await vi.waitFor(() => store.append(run, 'w', [frame(2), frame(3)]), SOON);
    await store.end(run, 'w', false);
    await reading;
    expect(ids).toEqual([1, 2, 3]);
    await redis.close();
    await server.remove();
  }, 30_000);
});
