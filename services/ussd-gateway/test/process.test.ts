import { afterAll, describe, expect, it } from 'vitest';
import { endServices, noDatabase, runToExit, startService } from './support/service-process.js';

afterAll(endServices);

// A busy machine takes 20 s to start a service.
const slow = { timeout: 120_000 };

it(
  'the service without configuration serves, names an occupied port, answers callers until they stop, and ends on SIGTERM',
  slow,
  async () => {
    const beforeMs = performance.now();
    const service = await startService({ DRAIN_DELAY_MS: '1500' });
    expect(await service.hop('')).toBe('CON Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit');
    expect(await service.hop('1')).toMatch(/^CON Information Center\n/);
    expect(await service.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', environment: 'development', database: 'connected' },
    });
    const { uptime } = (await service.get('/health')).body as { uptime: number };
    expect(uptime).toBeGreaterThan(0);
    expect(uptime).toBeLessThanOrEqual((performance.now() - beforeMs) / 1000);
    expect(await service.get('/')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await service.hop('*')).toMatch(/^END /);

    const ended = Array.from({ length: 200 }, (_, id) => ({ sessionId: `end-${id}` }));
    await Promise.all(ended.map((caller) => service.hop('', caller)));
    await Promise.all(ended.map((caller) => service.hop('*', caller)));
    expect(await service.get('/api/ussd/sessions')).toMatchObject({ body: { activeSessions: [], count: 0 } });

    const { port } = new URL(service.base);
    const second = await runToExit({ ...noDatabase, PORT: port });
    expect(second.code).toBe(1);
    expect(second.output).toContain(`Port ${port} on 127.0.0.1 is taken`);

    let ready = true;
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      let hops = 0;
      for (; ready; hops++)
        expect(await service.hop('', { sessionId: `load-${caller}-${hops}` })).toMatch(/^CON Welcome/);
      return hops;
    });
    await expect
      .poll(async () => (await service.get('/api/ussd/sessions')).body)
      .toMatchObject({ count: expect.any(Number) });
    const exited = service.end('SIGTERM');
    await expect.poll(async () => (await service.get('/health/ready')).status).toBe(503);
    ready = false;
    expect(Math.min(...(await Promise.all(callers)))).toBeGreaterThan(0);
    expect(await exited).toBe(0);
    expect(service.output()).not.toContain('260971230567');
  },
);

describe('in production', slow, () => {
  it('does not start half configured: it names every missing variable, and ends with code 78', async () => {
    const { code, output } = await runToExit({ NODE_ENV: 'production' });
    expect(code).toBe(78);
    for (const variable of ['DATABASE_URL', 'REDIS_URL', 'PIN_ENCRYPTION_KEY', 'OPERATOR_TOKEN']) {
      expect(output).toContain(`${variable}: is required in production`);
    }
  });
});

describe('a command', slow, () => {
  it('moves no data without an embedded database, and creates none', async () => {
    const { code, output } = await runToExit({ ...noDatabase, DATA_DIR: 'misspelt' }, 'move');
    expect(output).toMatch(/could not be moved: there is no embedded database in DATA_DIR \(.*misspelt\)/);
    expect([code, output.includes('migrations')]).toEqual([1, false]);
  });

  it('that is unknown does not start the service', async () => {
    const { code, output } = await runToExit(noDatabase, 'migarte');
    expect(output).toContain('There is no command "migarte"');
    expect(code).toBe(2);
  });
});
