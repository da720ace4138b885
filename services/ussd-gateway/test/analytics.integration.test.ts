import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endServices, type ServiceProcess, startService } from './support/service-process.js';

afterEach(endServices);

const token = 'a-token-of-an-operator';

async function operator(service: ServiceProcess, path: string) {
  const reply = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: reply.status, text: await reply.text() };
}

describe.skipIf(redisUrl === undefined || postgresUrl === undefined)(
  'the analytics of processes that share one database',
  () => {
    let redis: Awaited<ReturnType<typeof freshRedis>>;
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    beforeAll(async () => {
      [redis, database] = await Promise.all([freshRedis(), freshDatabase()]);
    });
    afterAll(() => Promise.all([redis.drop(), database.drop()]));

    it('sum the hops of all processes, including stopped ones, for operators only', async () => {
      const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url };
      const env = { ...stores, PIN_ENCRYPTION_KEY: 'ab'.repeat(32), OPERATOR_TOKEN: token };
      const [one, two] = await Promise.all([startService(env), startService(env)]);
      const caller = { sessionId: 'of-one-phone', phoneNumber: '+260971230001' };
      for (const [index, text] of ['', '1', '1*9', '1*9*2', '1*9*2*0'].entries())
        await (index % 2 === 0 ? one : two).hop(text, caller);
      expect(await one.end('SIGTERM')).toBe(0);
      expect(await two.end('SIGTERM')).toBe(0);

      const three = await startService(env);
      expect((await three.get('/api/ussd/analytics')).status).toBe(401);
      const { status, text } = await operator(three, '/api/ussd/analytics');
      expect(status).toBe(200);
      const report = JSON.parse(text);
      expect(report).toMatchObject({ hops: 5, failedHops: 0, uncounted: 0, sessions: { started: 1, open: 1 } });
      const screens = Object.fromEntries(report.screens.map((row: { screen: string }) => [row.screen, row]));
      expect(screens).toMatchObject({
        preMenu: { visits: 1, outcomes: { dialled: 1, moved: 1 }, next: [{ screen: 'knowMore', count: 1 }] },
        knowMore: { visits: 2, outcomes: { refused: 1, moved: 1 }, medianAnswerMs: expect.any(Number) },
        infoTopic: { visits: 1, next: [{ screen: 'knowMore', count: 1 }], medianDwellMs: expect.any(Number) },
      });
      expect(text).not.toMatch(/of-one-phone|971230001/);
      const metrics = (await operator(three, '/metrics')).text;
      expect(metrics).toMatch(/^ussd_screen_visits\{ussd_service="default",flow="default",screen="knowMore".*\} 2$/m);
      expect(metrics).toMatch(/^ussd_screen_refusals\{ussd_service="default",flow="default",screen="knowMore".*\} 1$/m);
    });
  },
);
