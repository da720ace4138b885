import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { aggregatorRules } from '../../src/aggregators/adapter-rules.fixture.js';
import { aggregatorIds, aggregators } from '../../src/aggregators/shipped.fixture.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { call, jsonOf, screens } from '../support/aggregator-calls.js';
import { openTestApp, sendHop, subscriber } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

const secret = 'a-secret-of-hubtel-only';
const dial = {
  Mobile: '233200585542',
  SessionId: 's',
  ServiceCode: '713',
  Type: 'Initiation',
  Message: '',
  Sequence: 1,
};
const url = '/api/ussd/hubtel';
const refused = { Type: 'release', Message: screens.unavailable };

describe('an aggregator with a secret', () => {
  const env = { AGGREGATOR_HUBTEL_SECRET: secret };

  it.each([
    ['in the header', { url, headers: { 'x-aggregator-secret': secret } }],
    ['in the query', { url: `${url}?secret=${secret}` }],
  ])('accepts a caller that presents it %s', async (_name, how) => {
    app = await openTestApp({ env });
    expect(jsonOf(await call(app, { ...how, json: dial }))).toMatchObject({ Message: screens.welcome });
  });

  it.each([
    ['none', { url }],
    ['a wrong secret', { url, headers: { 'x-aggregator-secret': `${secret}x` } }],
    ['an empty secret', { url: `${url}?secret=` }],
    ['two', { url: `${url}?secret=${secret}&secret=${secret}` }],
    [
      'a wrong secret together with the right one',
      { url: `${url}?secret=${secret}`, headers: { 'x-aggregator-secret': 'x' } },
    ],
  ])('refuses %s with 403 in its own form, and changes no session', async (_name, how) => {
    const store = new MemorySessionStore();
    store.hold = async () => {
      throw new Error('a session was touched');
    };
    app = await openTestApp({ env, store });
    expect(jsonOf(await call(app, { ...how, json: dial }), 403)).toMatchObject(refused);
    expect(jsonOf(await call(app, { ...how, json: '{' }), 403)).toMatchObject(refused);
  });

  it('is not required from other aggregators', async () => {
    app = await openTestApp({ env });
    expect((await sendHop(app, '')).status).toBe(200);
  });

  it('cannot be closed by unverified callers', async () => {
    app = await openTestApp({ env: { AGGREGATOR_AFRICASTALKING_SECRET: secret } });
    await sendHop(app, '');
    const form = { ...subscriber, status: 'Incomplete' };
    expect((await call(app, { url: '/api/ussd/africastalking/events', form })).status).toBe(403);
    expect((await sendHop(app, '1')).text).toContain('Information');
  });

  it('limits guesses by the rate limit', async () => {
    app = await openTestApp({ env: { ...env, RATE_LIMIT_MAX: '2' } });
    for (let guess = 0; guess < 2; guess++) expect((await call(app, { url, json: dial })).status).toBe(403);
    expect(jsonOf(await call(app, { url, json: dial }), 429)).toMatchObject({ Message: screens.tooMany });
  });

  it('writes no secret to the log, right or wrong', async () => {
    const lines: string[] = [];
    app = await openTestApp({ env, log: (line) => lines.push(line) });
    await call(app, { url: `${url}?secret=${secret}`, json: dial });
    await call(app, { url, headers: { 'x-aggregator-secret': 'another-guess' }, json: dial });
    await call(app, { url: `${url}?secret=third-guess`, json: dial });
    expect(lines.length).toBeGreaterThan(0);
    for (const shown of [secret, 'another-guess', 'third-guess', dial.Mobile])
      expect(lines.join('')).not.toContain(shown);
  });

  it('refuses a weak secret at start', async () => {
    app = await openTestApp();
    await expect(openTestApp({ env: { AGGREGATOR_NALO_SECRET: 'short' } })).rejects.toThrow('AGGREGATOR_NALO_SECRET');
  });
});

describe('an aggregator with addresses', () => {
  const env = { AGGREGATOR_CANONICAL_CIDRS: '192.0.2.0/24,2001:db8::/32' };

  it('accepts callers from them only', async () => {
    app = await openTestApp({ env });
    expect((await sendHop(app, '', {}, '192.0.2.7')).status).toBe(200);
    expect((await sendHop(app, '', {}, '2001:db8::7')).status).toBe(200);
    expect(await sendHop(app, '', {}, '198.51.100.1')).toMatchObject({
      status: 403,
      text: `END ${screens.unavailable}`,
    });
  });

  it('requires the secret too, if both are set', async () => {
    app = await openTestApp({ env: { ...env, AGGREGATOR_CANONICAL_SECRET: secret } });
    const headers = { 'x-aggregator-secret': secret };
    const from = (remoteAddress: string, shown: Record<string, string>) =>
      call(app, { url: '/api/ussd', json: { ...subscriber, text: '' }, headers: shown, remoteAddress });
    expect((await from('192.0.2.7', headers)).status).toBe(200);
    expect((await from('192.0.2.7', {})).status).toBe(403);
    expect((await from('198.51.100.1', headers)).status).toBe(403);
  });
});

describe.each(aggregatorIds)('every endpoint of %s', (id) => {
  const { endpoints } = aggregators[id](aggregatorRules);

  it.each([
    ['SECRET', secret],
    ['CIDRS', '192.0.2.0/24'],
  ])('is protected by its %s alone, and those of others stay open', async (setting, value) => {
    const store = new MemorySessionStore();
    for (const method of ['hold', 'findLive', 'listLive'] as const) {
      store[method] = async () => {
        throw new Error('a session was touched');
      };
    }
    app = await openTestApp({ env: { [`AGGREGATOR_${id.toUpperCase()}_${setting}`]: value }, store });
    const statusOf = async ({ method, path }: (typeof endpoints)[number]) =>
      (await app.inject({ method, url: path.replace(':sessionId', 's') })).statusCode;
    for (const endpoint of endpoints)
      expect({ path: endpoint.path, status: await statusOf(endpoint) }).toMatchObject({ status: 403 });
    const others = aggregatorIds.filter((other) => other !== id);
    for (const other of others) {
      for (const endpoint of aggregators[other](aggregatorRules).endpoints) expect(await statusOf(endpoint)).toBe(200);
    }
  });
});
