import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { screens } from './support/aggregator-calls.js';
import { freshFolder } from './support/fresh-folder.js';
import { endServices, noDatabase, type ServiceProcess, startService } from './support/service-process.js';

afterEach(endServices);

type Headers = Readonly<Record<string, string>>;

/** One session over Africa's Talking: forms with all typed text. */
function africastalking(sessionId: string, phoneNumber: string) {
  const post = async (service: ServiceProcess, path: string, fields: Headers) => {
    const body = new URLSearchParams({ sessionId, phoneNumber, serviceCode: '*384*123#', ...fields });
    const reply = await fetch(`${service.base}/api/ussd/africastalking${path}`, { method: 'POST', body });
    return `${reply.status} ${await reply.text()}`;
  };
  return {
    type: (service: ServiceProcess, text: string) => post(service, '', { text, networkCode: '63902' }),
    ends: (service: ServiceProcess) =>
      post(service, '/events', { status: 'Incomplete', durationInMillis: '9000', hopsCount: '2' }),
  };
}

/** One session over Hubtel: numbered requests with the last input. */
function hubtel(SessionId: string, Mobile: string) {
  return async (service: ServiceProcess, Type: string, Message: string, Sequence: number) => {
    const body = JSON.stringify({ Type, Message, ServiceCode: '713', Mobile, SessionId, Sequence, Operator: 'mtn' });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${service.base}/api/ussd/hubtel`, { method: 'POST', headers, body });
    return (await reply.json()) as { Type: string; Message: string };
  };
}

describe.skipIf(redisUrl === undefined)('aggregators, on processes that share one Redis', () => {
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  beforeAll(async () => {
    redis = await freshRedis();
  });
  afterAll(() => redis.drop());

  const start = (env: Headers = {}) =>
    startService({ ...noDatabase, REDIS_URL: redis.url, PIN_ENCRYPTION_KEY: 'ab'.repeat(32), ...env });
  const stateOf = async (service: ServiceProcess, id: string) => {
    const { status, body } = await service.get(`/api/ussd/debug/${id}`);
    return status === 200 ? (body as { debugInfo: { state: string } }).debugInfo.state : status;
  };

  it("continue a session of Africa's Talking after a kill, and close it when its end is posted to another process", async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const session = africastalking('at-1', '+254711000001');
    expect(await session.type(one, '')).toBe(`200 CON ${screens.welcome}`);
    expect(await session.type(two, '1')).toBe(`200 CON ${screens.information}`);
    expect(await one.end('SIGKILL')).toBeNull();
    const topic = await session.type(two, '1*1');
    expect(topic).toMatch(/^200 CON .*any phone/s);
    const three = await start();
    expect(await Promise.all([two, three, two, three].map((service) => session.type(service, '1*1')))).toEqual(
      Array.from({ length: 4 }, () => topic),
    );
    expect(await stateOf(three, 'at-1')).toBe('infoTopic');
    expect(await session.ends(three)).toBe('200 OK');
    expect(await session.ends(two)).toBe('200 OK');
    expect(await stateOf(two, 'at-1')).toBe(404);
    expect(await session.type(two, '1*1*0')).toBe(`200 END ${screens.expired}`);
  });

  it('continue a session of Hubtel after a kill, recognise duplicates by their number, and close it on a release', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const type = hubtel('hub-1', '233200585542');
    expect(await type(one, 'Initiation', '*713#', 1)).toMatchObject({ Type: 'response', Message: screens.welcome });
    const first = await type(one, 'Response', '1', 2);
    expect(first.Message).toBe(screens.information);
    expect(await one.end('SIGKILL')).toBeNull();
    expect(await type(two, 'Response', '1', 2)).toEqual(first);
    const second = await type(two, 'Response', '1', 3);
    expect(second.Message).toContain('any phone');
    const three = await start();
    const repeats = await Promise.all([two, three, three, two].map((service) => type(service, 'Response', '1', 3)));
    expect(repeats).toEqual(Array.from({ length: 4 }, () => second));
    expect(await type(three, 'Response', '1', 2)).toEqual(second);
    expect(await stateOf(three, 'hub-1')).toBe('infoTopic');
    await type(three, 'Release', '', 4);
    expect(await stateOf(two, 'hub-1')).toBe(404);
    expect(await type(two, 'Response', '0', 5)).toMatchObject({ Type: 'release', Message: screens.expired });
  });

  it('refuse unverified callers of one aggregator, and change no session for them', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'secret'), 'a-secret-of-africastalking\n');
    const service = await start({
      AGGREGATOR_AFRICASTALKING_SECRET_FILE: join(folder, 'secret'),
      AGGREGATOR_HUBTEL_CIDRS: '192.0.2.0/24',
      TRUST_PROXY_ENABLED: 'true',
    });
    const live = async () => (await service.get('/api/ussd/sessions')).body;
    const before = await live();
    const session = africastalking('at-2', '+254711000002');
    expect(await session.type(service, '')).toBe(`403 END ${screens.unavailable}`);
    expect(await session.ends(service)).toBe('403 Not accepted');
    const dial = (url: string, headers: Headers, body: string | URLSearchParams) =>
      fetch(`${service.base}${url}`, { method: 'POST', headers, body }).then(({ status }) => status);
    const json = JSON.stringify({
      Type: 'Initiation',
      Message: '*713#',
      Mobile: '233200585543',
      SessionId: 'hub-2',
      Sequence: 1,
    });
    const asJson = { 'content-type': 'application/json' };
    expect(await dial('/api/ussd/hubtel', asJson, json)).toBe(403);
    expect(await dial('/api/ussd/hubtel', { ...asJson, 'x-forwarded-for': '198.51.100.7' }, json)).toBe(403);
    expect(await live()).toEqual(before);

    expect(await dial('/api/ussd/hubtel', { ...asJson, 'x-forwarded-for': '192.0.2.7' }, json)).toBe(200);
    const fields = { sessionId: 'at-2', phoneNumber: '+254711000002', serviceCode: '*384#', text: '' };
    const shown = { 'x-aggregator-secret': 'a-secret-of-africastalking' };
    expect(await dial('/api/ussd/africastalking', shown, new URLSearchParams(fields))).toBe(200);
    expect(await service.hop('', { sessionId: 'canonical-2' })).toMatch(/^CON /);
    expect(await live()).toMatchObject({ activeSessions: expect.arrayContaining(['hub-2', 'at-2', 'canonical-2']) });
    expect(service.output()).not.toContain('a-secret-of-africastalking');
  });
});
