import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, expect, it } from 'vitest';
import { call, screens } from '../support/aggregator-calls.js';
import { openTestApp, sendHop, subscriber } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

/** With Redis the limit of an address is queried while the session is read. */
const redis = { answers: async () => {}, takesWrites: async () => {} };
const limitedTo = (RATE_LIMIT_MAX: string, env = {}) => openTestApp({ redis, env: { RATE_LIMIT_MAX, ...env } });
const tooMany = { status: 429, text: `END ${screens.tooMany}` };
const otherAddress = '203.0.113.9';

it('a hop over the limit of its address does not change the session', async () => {
  app = await limitedTo('2');
  await sendHop(app, '');
  await sendHop(app, '1');
  expect(await sendHop(app, '1*2')).toMatchObject(tooMany);
  const next = await sendHop(app, '1*1', {}, otherAddress);
  expect(next.text).toContain('CON ');
  expect((await sendHop(app, '1*1', {}, otherAddress)).text).toBe(next.text);
});

it('a request over the limit gets that error, before any other problem', async () => {
  app = await limitedTo('1');
  const url = '/api/ussd';
  expect(await call(app, { url, json: '{' })).toMatchObject({ status: 200, text: `END ${screens.invalid}` });
  for (const json of ['{', { ...subscriber, text: 7 }, 'x'.repeat(5000)])
    expect(await call(app, { url, json })).toMatchObject(tooMany);
});

it('an unknown caller gets that error, or the rate limit', async () => {
  app = await limitedTo('1', { AGGREGATOR_CANONICAL_CIDRS: otherAddress });
  expect((await sendHop(app, '')).status).toBe(403);
  expect(await sendHop(app, '')).toMatchObject(tooMany);
});

it('the end of a session over the limit ends no session', async () => {
  app = await limitedTo('1');
  const at = { sessionId: subscriber.sessionId, phoneNumber: subscriber.phoneNumber };
  const dial = { ...at, serviceCode: subscriber.serviceCode, networkCode: '1', text: '' };
  const first = await call(app, { url: '/api/ussd/africastalking', form: dial });
  const ended = await call(app, { url: '/api/ussd/africastalking/events', form: { ...at, status: 'Incomplete' } });
  expect(ended.status).toBe(429);
  const repeated = await call(app, { url: '/api/ussd/africastalking', form: dial, remoteAddress: otherAddress });
  expect(repeated.text).toBe(first.text);
  const live = await call(app, { url: '/api/ussd/sessions', method: 'GET', remoteAddress: '203.0.113.10' });
  expect(live.text).toContain(subscriber.sessionId);
});
