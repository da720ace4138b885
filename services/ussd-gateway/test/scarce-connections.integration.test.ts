import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import {
  canStartPgBouncer,
  canStartPostgres,
  type RealServer,
  type SmallPostgres,
  startPgBouncer,
  startSmallPostgres,
} from '@mlango/test-services/servers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { areWell, type BothServices, endServices, startServices } from './support/both-services.js';
import { callBothServices } from './support/call-both-services.js';
import { freshFolder } from './support/fresh-folder.js';
import { countCustomers } from './support/stored-text.js';

const SOON = { timeout: 30_000, interval: 100 };

const isPossible = canStartPostgres && redisUrl !== undefined;

describe.skipIf(!isPossible)('on a Postgres of twelve connections', () => {
  let small: SmallPostgres;
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  beforeAll(async () => {
    small = await startSmallPostgres(12);
  });
  beforeEach(async () => {
    redis = await freshRedis();
    await small.admin.unsafe('drop database service with (force)');
    await small.admin.unsafe('create database service owner service');
  });
  afterEach(async () => {
    await endServices();
    await redis.drop();
  });
  afterAll(() => small.remove());

  async function expectAllWell(services: BothServices, { ids, answers }: ReturnType<typeof callBothServices>) {
    await vi.waitFor(async () => expect(await areWell(services)).toBe(true), SOON);
    expect(new Set(answers)).toEqual(new Set(['1 2 3']));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await countCustomers(small.url)).toBe(ids.length);
  }

  it('four replicas with pools of up to forty serve all callers correctly', async () => {
    const services = await startServices(2, freshFolder(), { DATABASE_URL: small.url, REDIS_URL: redis.url });
    const calls = callBothServices(services, (turns) => turns === 4);
    await calls.done;
    await expectAllWell(services, calls);
  }, 120_000);

  it('four replicas start without a free connection, and recover once there are some', async () => {
    await small.admin.unsafe('alter role service connection limit 0');
    const services = await startServices(2, freshFolder(), { DATABASE_URL: small.url, REDIS_URL: redis.url });
    expect(await areWell(services)).toBe(false);
    const calls = callBothServices(services, (turns) => turns === 1);
    await vi.waitFor(() => expect(calls.refusals.count).toBeGreaterThan(0), SOON);
    expect(calls.answers).toEqual([]);
    await small.admin.unsafe('alter role service connection limit -1');
    await calls.done;
    await expectAllWell(services, calls);
  }, 120_000);

  // A skipped part within a skipped whole would count as cut off.
  describe.skipIf(isPossible && !canStartPgBouncer)('behind PgBouncer', () => {
    let pooler: RealServer;
    beforeEach(async () => {
      pooler = await startPgBouncer({ upstream: small.url, poolSize: 4, settings: ['server_login_retry = 1'] });
    });
    afterEach(() => pooler.remove());

    it('replicas serve all callers correctly while it restarts', async () => {
      const stores = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: small.url, REDIS_URL: redis.url };
      const services = await startServices(2, freshFolder(), stores);
      let over = false;
      const calls = callBothServices(services, () => over);
      for (const restart of [() => pooler.restart(), () => pooler.kill().then(() => pooler.restart())]) {
        await calls.goOn();
        await restart();
      }
      await calls.goOn();
      over = true;
      await calls.done;
      await expectAllWell(services, calls);
      // There are no connections besides those of the pooler: migrations are done.
      const held = [...(await small.connections()).values()].reduce((sum, count) => sum + count, 0);
      expect(held).toBeLessThanOrEqual(4);
    }, 120_000);
  });
});
