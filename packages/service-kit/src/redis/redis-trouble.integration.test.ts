import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fillRedis } from '@mlango/test-services/full-redis';
import { canStartRedis, type RedisServer, startRedis } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { unavailableStore } from '../errors/to-service-error.js';
import { createMetrics } from '../metrics/metrics.js';
import { openRedis, type RedisConnection } from './open-redis.js';
import { redisWritableGauge, redisWrites } from './redis-writes.js';

describe.skipIf(!canStartRedis)('a running Redis that cannot serve', { timeout: 60_000 }, () => {
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

  /** The cause of the trouble; the returned function ends it. */
  const troubles: Record<string, () => Promise<() => Promise<unknown>>> = {
    OOM: async () => (await fillRedis(server.url)).empty,
    READONLY: async () => {
      await admin.replicaof('127.0.0.1', 1);
      return () => admin.replicaof('NO', 'ONE');
    },
    MISCONF: async () => {
      const [, folder = ''] = (await admin.config('GET', 'dir')) as string[];
      // A folder in place of its snapshot file.
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

  it.each(Object.keys(troubles))('%s is reported as unavailable, and recovers by itself', async (name) => {
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
