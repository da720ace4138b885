import { type FaultProxy, startFaultProxy } from '@mlango/test-services/fault-proxy';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartPostgres, type PostgresPair, startPostgresPair } from '@mlango/test-services/servers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { areWell, endServices, startServices } from './support/both-services.js';
import { callBothServices } from './support/call-both-services.js';
import { freshFolder } from './support/fresh-folder.js';
import { countCustomers, countTalks } from './support/stored-text.js';

const portOf = (url: string) => Number(new URL(url).port);
const SOON = { timeout: 30_000, interval: 100 };

describe.skipIf(!canStartPostgres || redisUrl === undefined)('a killed primary', () => {
  let pair: PostgresPair;
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let proxy: FaultProxy;
  let address: URL;
  beforeEach(async () => {
    [pair, redis] = await Promise.all([startPostgresPair(), freshRedis()]);
    proxy = await startFaultProxy(portOf(pair.primary.url));
    address = new URL(pair.primary.url);
    address.port = String(proxy.port);
  });
  afterEach(async () => {
    await endServices();
    await Promise.all([proxy.close(), pair.remove(), redis.drop()]);
  });

  it.each([
    ['both are configured', () => pair.url],
    ['the address of the primary moves', () => address.href],
  ])(
    'loses no confirmed write and repeats none, at either service, once its standby has taken over, if %s',
    async (_, urlOf) => {
      // Both services share a database.
      const stores = { DATABASE_URL: urlOf(), DATABASE_READ_URL: pair.url, REDIS_URL: redis.url };
      const services = await startServices(2, freshFolder(), stores);
      let over = false;
      const calls = callBothServices(services, () => over);
      await calls.goOn();
      await pair.primary.kill();
      // A refused caller gets the documented reply: any other one fails the call.
      await vi.waitFor(() => expect(calls.refusals.count).toBeGreaterThan(20), SOON);
      expect(await areWell(services)).toBe(false);
      await pair.standby.promote();
      proxy.moveTo(portOf(pair.standby.url));
      proxy.reset();
      await calls.goOn();
      over = true;
      await calls.done;
      await vi.waitFor(async () => expect(await areWell(services)).toBe(true), SOON);

      expect(new Set(calls.answers)).toEqual(new Set(['1 2 3']));
      expect(new Set(calls.ids).size).toBe(calls.ids.length);
      expect(await countCustomers(pair.standby.url)).toBe(calls.ids.length);
      // Every question and every answer received by a caller is stored once; a repeated question is stored as a repeat.
      const once = calls.answers.map(() => 1);
      await vi.waitFor(async () => {
        const talks = await countTalks(pair.standby.url);
        expect(talks.map((talk) => talk['answered'])).toEqual(once);
        const questions = talks.reduce((sum, talk) => sum + Number(talk['asked']), 0);
        expect(questions).toBe(once.length + calls.refusals.regenerated);
      }, SOON);
    },
    180_000,
  );
});
