import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis } from '@mlango/service-kit/redis';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis, type RedisServer, startRedis } from '@mlango/test-services/servers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hubBusContract } from './hub-bus.contract.js';
import type { BusMessage, SessionMessage } from './hub-bus.js';
import { redisRecoveryTickets } from './recovery.js';
import { recoveryTicketsContract } from './recovery-tickets.contract.js';
import { redisHubBus } from './redis-hub-bus.js';

const log = createLogger({ service: 'test', level: 'silent' });
const SOON = { timeout: 15_000, interval: 100 };

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
});

describe.skipIf(!canStartRedis)('an unavailable Redis', { timeout: 60_000 }, () => {
  const closers: (() => Promise<unknown>)[] = [];
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
    closers.push(server.remove);
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  const attach = async (got: BusMessage[] = []) => {
    const redis = await openRedis({ url: server.url, logger: log, connectionName: 'test' });
    closers.push(redis.close);
    const bus = redisHubBus({ client: redis.client, subscriber: redis.subscriber('realtime'), log });
    await bus.listen(randomUUID(), (message) => got.push(message));
    return bus;
  };
  const tidings = (sessionId: string): SessionMessage => ({ kind: 'session_deleted', did: 'did:key:asha', sessionId });

  it('delivers messages of a thousand sessions after its return, and rejects meanwhile', async () => {
    const got: BusMessage[] = [];
    const [one, two] = [await attach(), await attach(got)];
    const sessions = Array.from({ length: 1_000 }, (_, at) => `s-${at}`);
    await Promise.all(sessions.map((session) => two.follow(session)));
    await server.kill();
    await expect(one.publish(tidings('s-1'))).rejects.toThrow();
    await expect(one.broadcast(tidings('s-1'))).rejects.toThrow();
    await server.restart();
    const counts = () => Promise.all(sessions.map((session) => one.publishCounted(tidings(session))));
    await vi.waitFor(async () => expect((await counts()).every((count) => count === 1)).toBe(true), SOON);
    got.length = 0;
    await one.broadcast(tidings('all'));
    await vi.waitFor(() => expect(got).toContainEqual(tidings('all')), SOON);
  });

  it('does not delay new subscriptions, and delivers their messages after its return', async () => {
    const got: BusMessage[] = [];
    const [one, two] = [await attach(), await attach(got)];
    await server.kill();
    await two.follow('s');
    await server.restart();
    await vi.waitFor(async () => expect(await one.publishCounted(tidings('s'))).toBe(1), SOON);
    await vi.waitFor(() => expect(got).toEqual([tidings('s')]), SOON);
  });
});
