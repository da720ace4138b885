import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis } from '@mlango/service-kit/redis';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hubBusContract } from './hub-bus.contract.js';
import type { BusMessage } from './hub-bus.js';
import { recoveryTicketsContract } from './recovery-tickets.contract.js';
import { redisHubBus } from './redis-hub-bus.js';
import { redisRecoveryTickets } from './redis-recovery-tickets.js';

const log = createLogger({ service: 'test', level: 'silent' });

describe.skipIf(redisUrl === undefined)('Redis', () => {
  let url: string;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const fresh = await freshRedis();
    url = fresh.url;
    closers.push(fresh.drop);
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  async function connection(to = url) {
    const redis = await openRedis({ url: to, logger: log, connectionName: 'test' });
    closers.push(() => redis.close());
    return redis;
  }

  async function attach(service: string, to = url) {
    const redis = await connection(to);
    return redisHubBus({ client: redis.client, subscriber: redis.subscriber('realtime'), log, service });
  }

  hubBusContract('Redis', () => {
    const service = `test-${randomUUID()}`;
    return () => attach(service);
  });
  recoveryTicketsContract('Redis', async () => redisRecoveryTickets((await connection()).client));

  it.skipIf(!canStartRedis)(
    'that goes away and comes back carries messages again, and says so meanwhile',
    { timeout: 30_000 },
    async () => {
      const server = await startRedis();
      const [one, two] = [await attach('outage', server.url), await attach('outage', server.url)];
      const got: BusMessage[] = [];
      await one.listen('r1', () => undefined);
      await two.listen('r2', (message) => got.push(message));
      const message: BusMessage = { kind: 'withdraw', memberId: 'm', toolCallId: 'x' };
      await server.kill();
      await expect(one.publish(message)).rejects.toThrow();
      await server.restart();
      await vi.waitFor(
        async () => {
          await one.publish(message);
          expect(got.length).toBeGreaterThan(0);
        },
        { timeout: 15_000, interval: 200 },
      );
      await server.stop();
    },
  );
});
