import { makeAuthority } from '@mlango/test-services/authority';
import { canStartRedis, startRedisCluster, startRedisSentinels } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { key } from './key.js';
import { openRedis } from './open-redis.js';
import { publish } from './redis-client.js';
import { redisWrites } from './redis-writes.js';

const silentMs = 1_500;
const SOON = { timeout: 60_000, interval: 50 };
const authority = makeAuthority();
const tls = { ...authority.issue('127.0.0.1'), ca: authority.cert };

describe.skipIf(!canStartRedis).each([
  [
    'a cluster',
    async () => {
      const cluster = await startRedisCluster({ nodeTimeoutMs: silentMs, tls });
      return { ...cluster, kill: () => cluster.nodes[0]?.kill() };
    },
  ],
  [
    'a primary with sentinels',
    async () => {
      const sentinels = await startRedisSentinels(silentMs, tls);
      return { ...sentinels, kill: () => sentinels.primary.kill() };
    },
  ],
])('%s with TLS', (_, start) => {
  it('is accepted by its authority only, before and after a failover', { timeout: 180_000 }, async () => {
    const redis = await start();
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const open = (ca: string) =>
      openRedis({ url: redis.url, ca, logger, connectionName: 'tls', commandTimeoutMs: 1_000 });
    expect(redis.url).toMatch(/^rediss\+/);
    const { client, subscriber, close } = await open(authority.cert);
    const stranger = await open(makeAuthority().cert);
    try {
      await expect(stranger.ping()).rejects.toThrow();
      await vi.waitFor(() => expect(lines.join('')).toMatch(/"tls":true.*Redis is connected.*"tls":true/s), SOON);
      const names = Array.from({ length: 12 }, (_each, at) => key('tls', `tag-${at}`, 'word'));
      const received = new Set<string>();
      const listener = subscriber('words');
      for (const name of names) await listener.listen(name, () => void received.add(name)).within(SOON.timeout);
      const write = async (word: string) => {
        await redisWrites(client, 'tls')();
        for (const name of names) {
          await client.set(name, word);
          await publish(client, name, word);
        }
        expect(await Promise.all(names.map((name) => client.get(name)))).toEqual(names.map(() => word));
        await vi.waitFor(() => expect(received.size).toBe(names.length), 2_000);
      };
      await vi.waitFor(() => write('before'), SOON);
      await redis.replicated();
      await redis.kill();
      received.clear();
      await vi.waitFor(() => write('after'), SOON);
    } finally {
      await Promise.all([close(), stranger.close()]);
      await redis.remove();
    }
  });
});
