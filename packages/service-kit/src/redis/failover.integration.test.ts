import { setTimeout as sleep } from 'node:timers/promises';
import { canStartRedis, startRedisCluster, startRedisSentinels } from '@mlango/test-services/servers';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { unavailableStore } from '../errors/to-service-error.js';
import { key } from './key.js';
import { openRedis } from './open-redis.js';
import { publish } from './redis-client.js';

const commandTimeoutMs = 500;
const silentMs = 1_500;
const SOON = { timeout: 60_000, interval: 50 };

describe.skipIf(!canStartRedis).each([
  [
    'a master of a cluster',
    async () => {
      const cluster = await startRedisCluster({ nodeTimeoutMs: silentMs });
      return { ...cluster, kill: () => cluster.nodes[0]?.kill() };
    },
  ],
  [
    'a primary with sentinels',
    async () => {
      const sentinels = await startRedisSentinels(silentMs);
      return { ...sentinels, kill: () => sentinels.primary.kill() };
    },
  ],
])('%s that is killed', (_, start) => {
  it('is replaced by its replica without losing acknowledged writes, running commands twice or losing subscribers', {
    timeout: 240_000,
  }, async () => {
    const redis = await start();
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const { client, subscriber, close } = await openRedis({
      url: redis.url,
      logger,
      connectionName: 'failover',
      commandTimeoutMs,
    });
    try {
      const names = Array.from({ length: 24 }, (_each, at) => key('failover', `tag-${at}`, 'count'));
      const listener = subscriber('words');
      const received = new Set<string>();
      for (const name of names) await listener.listen(name, () => void received.add(name)).within(SOON.timeout);
      // A counter created late is set again: nothing is counted yet.
      await vi.waitFor(() => Promise.all(names.map((name) => client.set(name, 0))), SOON);
      await redis.replicated();

      /** For each counter: increments sent, and increments acknowledged. */
      const tally = names.map(() => ({ sent: 0, done: 0 }));
      const done = () => tally.map((each) => each.done);
      const goesOn = async (after: readonly number[]) =>
        vi.waitFor(() => expect(tally.every((each, at) => each.done > 5 + (after[at] ?? 0))).toBe(true), SOON);
      let isOver = false;
      const counting = names.map(async (name, at) => {
        const of = tally[at] ?? { sent: 0, done: 0 };
        while (!isOver) {
          of.sent += 1;
          await client.incr(name).then(
            () => (of.done += 1),
            (error: unknown) => expect([String(error), unavailableStore(error)]).toEqual([String(error), 'redis']),
          );
          await sleep(10);
        }
      });
      await goesOn([]);
      const copied = done();
      await redis.replicated();
      await redis.kill();
      // By then all acknowledged messages have arrived.
      await sleep(commandTimeoutMs);
      const before = done();
      await goesOn(before);
      isOver = true;
      await Promise.all(counting);
      // Increments between the last replication and the kill may be lost; the rest is present, and nothing twice.
      for (const [at, name] of names.entries()) {
        const counted = Number(await vi.waitFor(() => client.get(name), SOON));
        expect(counted).toBeLessThanOrEqual(tally[at]?.sent ?? 0);
        expect(counted).toBeGreaterThanOrEqual((copied[at] ?? 0) + (tally[at]?.done ?? 0) - (before[at] ?? 0));
      }
      received.clear();
      await vi.waitFor(async () => {
        await Promise.all(names.map((name) => publish(client, name, 'again')));
        expect(received.size, lines.slice(-10).join('')).toBe(names.length);
      }, SOON);
      expect(lines.join('')).toMatch(/Redis cluster node is unavailable|Redis is unavailable/);
    } finally {
      await close();
      await redis.remove();
    }
  });
});
