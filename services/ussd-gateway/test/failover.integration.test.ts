import { setTimeout as sleep } from 'node:timers/promises';
import { canStartRedis, startRedisCluster } from '@mlango/test-services/servers';
import { afterEach, describe, expect, it } from 'vitest';
import { endServices, noDatabase, startService } from './support/service-process.js';

const unavailable = 'END Service temporarily unavailable. Please try again later.';
const soon = { timeout: 15_000, interval: 100 };

afterEach(endServices);

describe.skipIf(!canStartRedis)('running calls', { timeout: 90_000 }, () => {
  it('all continue after a master of the cluster is killed, and are refused until its replica has taken over', async () => {
    const cluster = await startRedisCluster({ nodeTimeoutMs: 1_500 });
    try {
      const start = () => startService({ ...noDatabase, REDIS_URL: cluster.url });
      const [one, two] = await Promise.all([start(), start()]);
      const callers = Array.from({ length: 24 }, (_each, at) => ({
        sessionId: `failover-${at}`,
        phoneNumber: `+2547000002${10 + at}`,
      }));
      for (const caller of callers) {
        expect(await one.hop('', caller)).toMatch(/^CON Welcome/);
        expect(await two.hop('1', caller)).toMatch(/^CON Information/);
      }
      await cluster.replicated();
      await cluster.nodes[1]?.kill();
      /** Repeats the hop when the reply requests a retry. */
      const press = async (text: string, caller: (typeof callers)[number], service = one): Promise<string> => {
        const reply = await service.hop(text, caller);
        if (reply !== unavailable) return reply;
        await sleep(200);
        return press(text, caller, service === one ? two : one);
      };
      const topics = await Promise.all(callers.map((caller) => press('1*2', caller)));
      expect(new Set(topics).size).toBe(1);
      expect(topics[0]).toMatch(/free/);
      const menus = await Promise.all(callers.map((caller) => press('1*2*0', caller)));
      for (const menu of menus) expect(menu).toMatch(/^CON Information/);
      // No session was begun twice, and none is missing.
      const sessions = async () => (await one.get('/api/ussd/sessions')).body;
      await expect.poll(sessions, soon).toMatchObject({ count: callers.length });
      for (const { sessionId } of callers) {
        const debug = async () => (await two.get(`/api/ussd/debug/${sessionId}`)).body;
        await expect.poll(debug, soon).toMatchObject({ debugInfo: { state: 'knowMore' } });
      }
    } finally {
      await endServices();
      await cluster.remove();
    }
  });
});
