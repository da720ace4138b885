import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fillRedis } from '@mlango/test-services/full-redis';
import { canStartRedis, type RedisServer, startRedis } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { unavailableStore } from '../errors/back-end-unavailable.js';
import { toServiceError } from '../errors/to-service-error.js';
import { createMetrics } from '../metrics.js';
import { openRedis, type RedisConnection } from './open-redis.js';
import { redisTrouble } from './redis-trouble.js';
import { redisWritableGauge, redisWrites } from './redis-writes.js';

describe('what a Redis says that cannot serve', () => {
  it.each([
    ['OOM', "OOM command not allowed when used memory > 'maxmemory'. script: 3f1, on @user_script:1."],
    ['OOM', 'ERR Error running script (call to f_3f1): @user_script:2: @user_script: 2: -OOM command not allowed'],
    ['MAXCLIENTS', 'ERR max number of clients reached'],
    [
      'NOPERM',
      "ERR The user executing the script can't run this command or subcommand script: 9ce, on @user_script:1.",
    ],
    ['NOPERM', 'ERR ACL failure in script: No permissions to access a key script: 6de, on @user_script:1.'],
    ['NOREPLICAS', 'NOREPLICAS Not enough good replicas to write.'],
    ['LOADING', 'LOADING Redis is loading the dataset in memory'],
    ['away', 'Command timed out'],
  ])('%s is told from a mistake of ours', (word, message) => {
    expect(redisTrouble(new Error(message))).toBe(word);
    expect(toServiceError(new Error(message))).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  });

  it.each(['WRONGTYPE Operation against a key', 'ERR syntax error', 'NOSCRIPT No matching script', 'a: -OOMPH x'])(
    'but %j is one',
    (message) => {
      expect(redisTrouble(new Error(message))).toBeUndefined();
      expect(toServiceError(new Error(message)).status).toBe(500);
    },
  );
});

describe.skipIf(!canStartRedis)('a Redis that is there and cannot serve', { timeout: 60_000 }, () => {
  let server: RedisServer;
  let admin: Redis;
  let connection: RedisConnection;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    await connection.close();
    admin.disconnect();
  });
  afterAll(() => server.remove());

  const dropClients = () => admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

  /** What troubles it, and what ends that. */
  const troubles: Record<string, () => Promise<() => Promise<unknown>>> = {
    OOM: async () => (await fillRedis(server.url)).empty,
    READONLY: async () => {
      await admin.replicaof('127.0.0.1', 1);
      return () => admin.replicaof('NO', 'ONE');
    },
    MISCONF: async () => {
      const [, folder = ''] = (await admin.config('GET', 'dir')) as string[];
      // Where its snapshot should go there is something else.
      const taken = join(folder, 'dump.rdb');
      await mkdir(taken);
      await admin.config('SET', 'save', '3600 1');
      await admin.bgsave();
      await vi.waitFor(async () => expect(await admin.info('persistence')).toContain('rdb_last_bgsave_status:err'), {
        timeout: 10_000,
      });
      return async () => {
        await rm(taken, { recursive: true });
        await admin.bgsave();
      };
    },
    NOPERM: async () => {
      await admin.call('ACL', 'SETUSER', 'default', '-@write', '-@scripting');
      return () => admin.call('ACL', 'SETUSER', 'default', '+@all');
    },
    WRONGPASS: async () => {
      const password = new URL(server.url).password;
      await admin.config('SET', 'requirepass', 'another');
      await dropClients();
      return () => admin.config('SET', 'requirepass', password);
    },
    MAXCLIENTS: async () => {
      await admin.config('SET', 'maxclients', 1);
      await dropClients();
      return () => admin.config('SET', 'maxclients', 100);
    },
  };

  it.each(Object.keys(troubles))('%s is unavailable, shows, and passes without a hand', async (name) => {
    admin = new Redis(server.url);
    const lines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    connection = await openRedis({ url: server.url, logger, connectionName: 'test', commandTimeoutMs: 10_000 });
    const { client } = connection;
    const writes = redisWrites(client, 'test');
    const metrics = createMetrics({ service: 'test', version: '0' });
    redisWritableGauge(metrics, writes);
    const writable = async () => /^redis_writable\{.*\} (\d)$/m.exec(await metrics.registry.metrics())?.[1];
    await writes();
    expect(await writable()).toBe('1');

    const end = await troubles[name]?.();
    const acts = [
      writes,
      () => client.eval("return redis.call('SET', KEYS[1], 'x')", 1, 'test:{a}'),
      () => client.xadd('test:{stream}', '*', 'a', 'b'),
    ];
    for (const act of acts) {
      const thrown: unknown = await act().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(Error);
      expect([String(thrown), unavailableStore(thrown)]).toEqual([String(thrown), 'redis']);
    }
    expect(await writable()).toBe('0');
    const reason = { WRONGPASS: 'WRONGPASS', MAXCLIENTS: 'closed' }[name];
    await vi.waitFor(() => expect(lines.join()).toContain(reason === undefined ? '' : `"reason":"${reason}"`), {
      timeout: 10_000,
    });

    await end?.();
    for (const act of acts) await vi.waitFor(act, { timeout: 10_000, interval: 50 });
    expect(await writable()).toBe('1');
  });
});
