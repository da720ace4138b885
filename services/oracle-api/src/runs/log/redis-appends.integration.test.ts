import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { key, openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { redisUrl } from '@mlango/test-services/real-redis';
import { redisClusterUrl } from '@mlango/test-services/redis-kinds';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisAppends } from './redis-appends.js';
import { beginScript } from './redis-scripts.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const frame = (id: number) => ({ id, event: 'message' as const, data: `"${id}"`, textLength: id });

describe.skipIf(redisUrl === undefined).each([
  ['one server', redisUrl],
  ['a cluster, which takes calls for one run only', redisClusterUrl],
])('concurrent writes of many runs, at %s,', (_, url = '') => {
  let redis: RedisConnection;
  beforeAll(async () => {
    redis = await openRedis({ url, logger, connectionName: 'appends-test', commandTimeoutMs: 10_000 });
  });
  afterAll(() => redis.close());

  const newRun = async () => {
    const tag = randomUUID();
    const run = { head: key('oracle-api', tag, 'run'), stream: key('oracle-api', tag, 'frames') };
    await beginScript.run(redis.client, [run.head, run.stream], ['w', 60_000]);
    return run;
  };
  const idsOf = async (stream: string) => (await redis.client.xrange(stream, '-', '+')).map(([id]) => id);

  it('are written, each run in order', async () => {
    const appends = new RedisAppends(redis.client);
    const all = await Promise.all(Array.from({ length: 300 }, newRun));
    const write = (id: number) =>
      Promise.all(
        all.map((run) =>
          appends.add({ ...run, writerId: 'w', isLast: false, retentionMs: 60_000, frames: [frame(id)] }),
        ),
      );
    const written = await Promise.all([write(1), write(2), write(3)]);
    expect(written.flat().every((isTaken) => isTaken)).toBe(true);
    for (const { stream } of all) expect(await idsOf(stream)).toEqual(['1-0', '2-0', '3-0']);
  });

  it('fail only for a run that cannot be written, or has another writer', async () => {
    const appends = new RedisAppends(redis.client);
    const [good, broken, foreign, ended] = [await newRun(), await newRun(), await newRun(), await newRun()];
    await redis.client.set(broken.stream, 'no stream');
    const add = (run: typeof good, writerId = 'w', isLast = false) =>
      appends.add({ ...run, writerId, isLast, retentionMs: 60_000, frames: [frame(1)] });
    expect(await add(ended, 'w', true)).toBe('stored');
    const missing = { head: `${good.head}-gone`, stream: `${good.stream}-gone` };
    const outcomes = await Promise.allSettled([
      add(good),
      add(broken),
      add(foreign, 'x'),
      add(ended),
      add(good),
      add(missing),
    ]);
    expect(outcomes).toMatchObject([
      { value: 'stored' },
      { reason: { message: expect.stringContaining('WRONGTYPE') } },
      { value: 'stale' },
      { value: 'stale' },
      { value: 'stored' },
      { value: 'missing' },
    ]);
    expect(await idsOf(good.stream)).toEqual(['1-0']);
    expect(await idsOf(foreign.stream)).toEqual([]);
  });
});

describe.skipIf(!canStartRedis)('concurrent writes of runs', () => {
  it('share few calls', async () => {
    const server = await startRedis();
    const redis = await openRedis({ url: server.url, logger, connectionName: 'appends-test' });
    const appends = new RedisAppends(redis.client);
    const add = async (_: unknown, index: number) => {
      const run = { head: key('oracle-api', `r${index}`, 'run'), stream: key('oracle-api', `r${index}`, 'frames') };
      return appends.add({ ...run, writerId: 'w', isLast: false, retentionMs: 60_000, frames: [frame(1)] });
    };
    await Promise.all(Array.from({ length: 1_000 }, add));
    const calls = /cmdstat_(?:evalsha|eval):calls=(\d+)/g;
    const stats = await redis.client.info('commandstats');
    expect([...stats.matchAll(calls)].reduce((sum, [, count]) => sum + Number(count), 0)).toBeLessThan(20);
    await redis.close();
    await server.remove();
  });
});
