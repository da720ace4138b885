import { fillRedis } from '@mlango/test-services/full-redis';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { canStartRedis, startRedis } from '@mlango/test-services/servers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endServices, noDatabase, type ServiceProcess, startService } from './support/service-process.js';

const unavailable = 'END Service temporarily unavailable. Please try again later.';

afterEach(endServices);

describe.skipIf(redisUrl === undefined)('processes on one Redis', { timeout: 120_000 }, () => {
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  beforeAll(async () => {
    redis = await freshRedis();
  });
  afterAll(() => redis.drop());

  const start = () => startService({ ...noDatabase, REDIS_URL: redis.url, PIN_ENCRYPTION_KEY: 'ab'.repeat(32) });

  it('run the hops of a session in turn, as one process would', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const caller = { sessionId: 'in-turn' };
    expect(await one.hop('', caller)).toMatch(/^CON Welcome/);
    expect(await two.hop('1', caller)).toMatch(/^CON Information/);
    const topic = await one.hop('1*2', caller);
    expect(await two.hop('1*2', caller)).toBe(topic);
    expect(await two.hop('1', caller)).toBe(topic);
    expect(await two.hop('1*2*0', caller)).toMatch(/^CON Information/);
    expect(await two.get('/api/ussd/debug/in-turn')).toMatchObject({ body: { debugInfo: { state: 'knowMore' } } });
    expect(await one.hop('1*2*0**', caller)).toMatch(/^END Thank you/);
    expect(await two.hop('1*2*0**', caller)).toMatch(/^END Thank you/);
    expect(await two.hop('1*2*0***1', caller)).toBe('END Session expired. Please dial again.');
    expect(await two.get('/api/ussd/debug/in-turn')).toMatchObject({ status: 404 });
  });

  it('return fifty equal replies to fifty equal concurrent requests', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const caller = { sessionId: 'parallel', phoneNumber: '+254700000005' };
    await one.hop('', caller);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : two).hop('1', caller)),
    );
    expect(new Set(replies).size).toBe(1);
    expect(await two.hop('1*1', caller)).toMatch(/any phone/);
  });

  it('continue the session of a killed one, after any hop', async () => {
    let service = await start();
    const caller = { sessionId: 'killed', phoneNumber: '+254700000007' };
    const expected: readonly (readonly [string, RegExp])[] = [
      ['', /^CON Welcome/],
      ['1', /^CON Information/],
      ['1*9', /^CON Invalid choice/],
      ['1*9*3', /collection point/],
      ['1*9*3*0', /^CON Information/],
      ['1*9*3*0**', /^END Thank you/],
    ];
    for (const [text, screen] of expected) {
      expect(await service.hop(text, caller)).toMatch(screen);
      expect(await service.end('SIGKILL')).toBeNull();
      service = await start();
      expect(await service.hop(text, caller)).toMatch(screen);
    }
  });

  it('share the rate limit', async () => {
    const own = await freshRedis();
    const limited = () => startService({ ...noDatabase, REDIS_URL: own.url, RATE_LIMIT_MAX: '6' });
    const [one, two] = await Promise.all([limited(), limited()]);
    const served: boolean[] = [];
    for (let hop = 0; hop < 8; hop++) {
      const service = hop % 2 === 0 ? one : two;
      served.push(
        await service.hop('', { sessionId: `limit-${hop}`, phoneNumber: `+2547000000${20 + hop}` }).then(
          () => true,
          () => false,
        ),
      );
    }
    expect(served).toEqual([true, true, true, true, true, true, false, false]);
    await endServices();
    await own.drop();
  });
});

describe.skipIf(!canStartRedis)('without Redis', () => {
  const becomesServed = async (service: ServiceProcess, hop: { text: string; sessionId: string }, screen: RegExp) => {
    await expect.poll(() => service.hop(hop.text, hop), { timeout: 15_000, interval: 100 }).toMatch(screen);
  };

  it('hops are refused until it is back, other routes are served, and a lost session continues from its text', async () => {
    const redis = await startRedis();
    try {
      const service = await startService({ ...noDatabase, REDIS_URL: redis.url });
      expect(await service.hop('')).toMatch(/^CON Welcome/);
      expect(await service.hop('1')).toMatch(/^CON Information/);
      await redis.kill();
      expect(await service.hop('1*2')).toBe(unavailable);
      expect(await service.get('/')).toMatchObject({ status: 200 });
      expect(await service.get('/api/ussd/sessions')).toMatchObject({ status: 503 });
      await redis.restart();
      await becomesServed(service, { text: '', sessionId: 'back' }, /^CON Welcome/);
      expect(await service.hop('1*2')).toMatch(/free/);
      expect(await service.end('SIGTERM')).toBe(0);
    } finally {
      await redis.remove();
    }
  }, 120_000);

  it('the rate limit still holds, in each process', async () => {
    const redis = await startRedis();
    try {
      const service = await startService({ ...noDatabase, REDIS_URL: redis.url, RATE_LIMIT_MAX: '5' });
      await redis.kill();
      const statuses: string[] = [];
      for (let hop = 0; hop < 8; hop++) {
        statuses.push(await service.hop('', { sessionId: `limited-${hop}` }).catch(({ message }: Error) => message));
      }
      const limited = 'status 429';
      expect(statuses).toEqual([...Array<string>(5).fill(unavailable), limited, limited, limited]);
    } finally {
      await redis.remove();
    }
  }, 120_000);

  it('the service starts, and serves as soon as Redis is available', async () => {
    const redis = await startRedis();
    try {
      await redis.stop();
      const service = await startService({ ...noDatabase, REDIS_URL: redis.url });
      expect(await service.hop('')).toBe(unavailable);
      await redis.restart();
      await becomesServed(service, { text: '', sessionId: 'late' }, /^CON Welcome/);
    } finally {
      await redis.remove();
    }
  }, 120_000);

  it('but with a full one, hops are refused, health and metrics report it, and the session continues when there is room', async () => {
    const redis = await startRedis();
    try {
      const service = await startService({ ...noDatabase, REDIS_URL: redis.url });
      const health = async () => ((await service.get('/health')).body as { redis?: string }).redis;
      const writable = async () =>
        /^redis_writable\{.*\} (\d)$/m.exec(await (await fetch(`${service.base}/metrics`)).text())?.[1];
      expect(await service.hop('')).toMatch(/^CON Welcome/);
      expect(await service.hop('1')).toMatch(/^CON Information/);
      expect([await health(), await writable()]).toEqual(['connected', '1']);
      const { empty } = await fillRedis(redis.url);
      for (const text of ['1*2', '1*2']) expect(await service.hop(text)).toBe(unavailable);
      expect(await service.hop('', { sessionId: 'new' })).toBe(unavailable);
      expect([await health(), await writable()]).toEqual(['not writable', '0']);
      expect(await service.get('/health/ready')).toMatchObject({ status: 200 });
      // Existing data can be read.
      expect(await service.get('/api/ussd/sessions')).toMatchObject({ status: 200 });
      await empty();
      expect(await service.hop('1*2')).toMatch(/free/);
      expect(await service.get('/api/ussd/sessions')).toMatchObject({ body: { count: 1 } });
      expect([await health(), await writable()]).toEqual(['connected', '1']);
    } finally {
      await redis.remove();
    }
  }, 120_000);

  it('all hops fail: the count, health and readiness show it, and recover without traffic', async () => {
    const redis = await startRedis();
    try {
      const service = await startService({ ...noDatabase, REDIS_URL: redis.url, HOP_WINDOW_SECONDS: '5' });
      const health = async () => (await service.get('/health')).body;
      const hops = async (outcome: string, dependency: string) => {
        const labels = `aggregator="canonical",outcome="${outcome}",dependency="${dependency}"`;
        const metrics = await (await fetch(`${service.base}/metrics`)).text();
        return new RegExp(`^ussd_hops_total\\{${labels}.*\\} (\\d+)$`, 'm').exec(metrics)?.[1];
      };
      const callers = Array.from({ length: 40 }, (_, index) => ({
        sessionId: `nobody-${index}`,
        phoneNumber: `+2547000001${10 + index}`,
      }));
      expect(await service.get('/health/ready')).toMatchObject({ status: 200, body: { checks: { hops: 'up' } } });
      await redis.kill();
      // At once, so that a busy machine has them in one window.
      const dialled = () => Promise.all(callers.map((caller) => service.hop('', caller)));
      for (const reply of await dialled()) expect(reply).toBe(unavailable);
      expect([await hops('answered', 'none'), await hops('unavailable', 'redis')]).toEqual(['0', '40']);
      expect(await health()).toMatchObject({ redis: 'disconnected', hops: { state: 'failing', unanswered: 1 } });
      expect(await service.get('/health/ready')).toMatchObject({ status: 503, body: { checks: { hops: 'down' } } });

      await redis.restart();
      await expect.poll(health, { timeout: 15_000, interval: 100 }).toMatchObject({ redis: 'connected' });
      // Clients send no hops now, so no hop shows that it would be served.
      const ready = async () => (await service.get('/health/ready')).status;
      await expect.poll(ready, { timeout: 15_000, interval: 100 }).toBe(200);
      expect(await health()).toMatchObject({ hops: { state: 'quiet', unanswered: null } });
      for (const reply of await dialled()) expect(reply).toMatch(/^CON Welcome/);
      expect(await hops('answered', 'none')).toBe('40');
      expect(await health()).toMatchObject({ hops: { state: 'served' } });
    } finally {
      await redis.remove();
    }
  }, 120_000);

  it('or with a hanging one, hops are answered by the deadline, and the session continues when it recovers', async () => {
    const redis = await startRedis();
    try {
      const service = await startService({ ...noDatabase, REDIS_URL: redis.url, HOP_DEADLINE_MS: '800' });
      await service.hop('');
      await service.hop('1');
      redis.pause();
      expect(await service.hop('1*2')).toBe(unavailable);
      redis.resume();
      await expect.poll(() => service.hop('1*2'), { timeout: 15_000, interval: 100 }).toMatch(/free/);
    } finally {
      redis.resume();
      await redis.remove();
    }
  }, 120_000);
});
