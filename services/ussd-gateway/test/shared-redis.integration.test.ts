import { type SharedRedis, startSharedRedis } from '@mlango/test-services/redis-users';
import { canStartRedis } from '@mlango/test-services/servers';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endServices, noDatabase, startService } from './support/service-process.js';

afterEach(endServices);

describe.skipIf(!canStartRedis)('the USSD gateway on a shared Redis', { timeout: 60_000 }, () => {
  let redis: SharedRedis;
  beforeAll(async () => {
    redis = await startSharedRedis();
  });
  afterAll(() => redis.remove());

  it('works as its own user, with keys of its own prefix', async () => {
    const token = 'a-token-of-an-operator';
    const env = { ...noDatabase, REDIS_URL: redis.urlOf('mlango-ussd'), PIN_ENCRYPTION_KEY: 'ab'.repeat(32) };
    const service = await startService({ ...env, OPERATOR_TOKEN: token });
    const get = async (path: string) => {
      const reply = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return { status: reply.status, body: await reply.text() };
    };
    const caller = { sessionId: 'one', phoneNumber: '+260971230001' };
    expect(await service.hop('', caller)).toMatch(/^CON Welcome/);
    expect(await service.hop('1', caller)).toMatch(/^CON Information/);
    expect((await get('/api/ussd/sessions')).body).toContain('"count":1');
    expect((await get('/api/ussd/debug/one')).body).toContain('knowMore');
    expect(JSON.parse((await get('/health')).body)).toMatchObject({ redis: 'connected' });
    // A redial may resume the session.
    expect(await service.hop('', { ...caller, sessionId: 'two' })).toMatch(/^CON/);
    expect(await service.hop('1', caller)).toMatch(/^(CON|END)/);
    expect(await service.hop('**', { ...caller, sessionId: 'two' })).toMatch(/^(CON|END)/);
    expect(await service.end('SIGTERM')).toBe(0);
    const keys = await redis.keys();
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((name) => !name.startsWith('ussd:'))).toEqual([]);
    expect(await redis.refusals()).toEqual([]);
    expect(service.output()).not.toContain('NOPERM');
  });

  it.each([
    ['mlango-ussd', 'ussd'],
    ['mlango-oracle', 'oracle-api'],
    ['mlango-gateway', 'proto-gateway'],
  ])('%s may use only keys that begin with %s:, and no administrative commands', async (user, prefix) => {
    const client = new Redis(redis.urlOf(user), { lazyConnect: true, maxRetriesPerRequest: 1 });
    await client.connect();
    await client.set(`${prefix}:a`, '1');
    const script = "return redis.call('SET', KEYS[1], '1')";
    const refused: (() => Promise<unknown>)[] = [
      ...['ussd', 'oracle-api', 'proto-gateway', 'other']
        .filter((other) => other !== prefix)
        .flatMap((other) => [
          () => client.set(`${other}:a`, '1'),
          () => client.eval(script, 1, `${other}:a`),
          () => client.publish(`${other}:a`, '1'),
        ]),
      () => client.keys('*'),
      () => client.scan(0),
      () => client.flushall(),
      () => client.config('GET', '*'),
      () => client.call('ACL', 'LIST'),
      () => client.eval("return redis.call('KEYS', '*')", 0),
    ];
    const words = /NOPERM|The user executing the script can't|ACL failure in script/;
    for (const act of refused) await expect(act()).rejects.toThrow(words);
    client.disconnect();
  });
});
