import { ussdActiveSessions, ussdDebugRecord } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { openTestApp, sendHop, type TestAppOptions } from '../support/test-app.js';

let app: HttpApp;
const open = async (options: TestAppOptions = {}) => {
  app = await openTestApp(options);
  return app;
};
afterEach(async () => app.close());

describe('GET /api/ussd/debug/:sessionId', () => {
  it('shows the state of a live session', async () => {
    await sendHop(await open(), '');
    const reply = await app.inject('/api/ussd/debug/ATUid_1');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      sessionId: 'ATUid_1',
      debugInfo: {
        state: 'preMenu',
        context: {
          sessionId: 'ATUid_1',
          phoneNumber: '+260971230567',
          message: 'Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit',
          isAuthenticated: false,
        },
        status: 'active',
      },
      activeSessions: ['ATUid_1'],
    });
    expect(ussdDebugRecord.safeParse(reply.json()).success).toBe(true);
    await sendHop(app, '1');
    expect((await app.inject('/api/ussd/debug/ATUid_1')).json()).toMatchObject({ debugInfo: { state: 'knowMore' } });
  });

  it('answers 404 for an unknown session, with the live ones', async () => {
    await sendHop(await open(), '');
    const reply = await app.inject('/api/ussd/debug/no%20such%2Fsession');
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({
      statusCode: 404,
      error: 'Not Found',
      message: 'Session not found',
      sessionId: 'no such/session',
      activeSessions: ['ATUid_1'],
    });
  });

  it('answers 404 the moment a session expires, and lists it no longer', async () => {
    let now = 0;
    await open({ store: new MemorySessionStore({ clock: () => now }) });
    await sendHop(app, '');
    now = 179_999;
    expect((await app.inject('/api/ussd/debug/ATUid_1')).statusCode).toBe(200);
    now = 180_000;
    expect((await app.inject('/api/ussd/debug/ATUid_1')).statusCode).toBe(404);
    expect((await app.inject('/api/ussd/sessions')).json()).toEqual({ activeSessions: [], count: 0 });
    expect((await sendHop(app, '1')).text).toBe('END Session expired. Please dial again.');
    expect((await sendHop(app, '')).text).toMatch(/^CON Welcome/);
  });

  it('answers 404 for a session that ended', async () => {
    await sendHop(await open(), '');
    await sendHop(app, '*');
    expect((await app.inject('/api/ussd/debug/ATUid_1')).statusCode).toBe(404);
  });

  it('never shows user input', async () => {
    await sendHop(await open(), '');
    await sendHop(app, '90210');
    expect((await app.inject('/api/ussd/debug/ATUid_1')).body).not.toContain('90210');
  });

  it('answers 500 without the cause if sessions cannot be read', async () => {
    const store = new MemorySessionStore();
    store.findLive = async () => {
      throw new Error('redis://:secret@10.0.0.5');
    };
    const reply = await (await open({ store })).inject('/api/ussd/debug/x');
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('secret');
  });
});

describe('GET /api/ussd/sessions', () => {
  it('lists live sessions and counts them', async () => {
    await open();
    for (const sessionId of ['a', 'b', 'c']) await sendHop(app, '', { sessionId });
    await sendHop(app, '*', { sessionId: 'b' });
    const reply = await app.inject('/api/ussd/sessions');
    expect(reply.json()).toEqual({ activeSessions: ['a', 'c'], count: 2 });
    expect(ussdActiveSessions.safeParse(reply.json()).success).toBe(true);
  });
});

describe.each(['/api/ussd/sessions', '/api/ussd/debug/x'])('%s', (url) => {
  const OPERATOR_TOKEN = 'a-token-of-an-operator';

  it('requires the operator token if one is set', async () => {
    await open({ env: { OPERATOR_TOKEN } });
    for (const authorization of [undefined, 'Bearer wrong', OPERATOR_TOKEN, `Basic ${OPERATOR_TOKEN}`]) {
      const reply = await app.inject({ url, headers: authorization === undefined ? {} : { authorization } });
      expect(reply.statusCode).toBe(401);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
      expect(reply.json()).toMatchObject({ statusCode: 401, error: 'Unauthorized' });
    }
    const reply = await app.inject({ url, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    expect(reply.statusCode).not.toBe(401);
  });

  it('does not exist if operator routes are off', async () => {
    await open({ env: { OPERATOR_ROUTES: 'off' } });
    expect((await app.inject(url)).json()).toMatchObject({ statusCode: 404, message: `Cannot GET ${url}` });
  });
});

describe('a guessed operator token', () => {
  it.each(['/api/ussd/sessions', '/metrics'])(
    'is limited at %s, also for an address without a rate limit',
    async (url) => {
      const env = { OPERATOR_TOKEN: 'a-token-of-an-operator', METRICS_TOKEN: 'a-token-of-a-scraper' };
      await open({ env: { ...env, RATE_LIMIT_MAX: '3', RATE_LIMIT_TRUSTED_CIDRS: '127.0.0.0/8' } });
      const statuses: number[] = [];
      for (const guess of ['a', 'b', 'c', 'd'])
        statuses.push((await app.inject({ url, headers: { authorization: `Bearer ${guess}` } })).statusCode);
      expect(statuses).toEqual([401, 401, 401, 429]);
    },
  );
});

describe('a request without an operator token', () => {
  it('is refused for that alone, without other problems of the request', async () => {
    await open({ env: { OPERATOR_TOKEN: 'a-token-of-an-operator' } });
    const requests = [
      { url: '/api/ussd/analytics?hours=many' },
      { url: '/api/ussd/sessions?service=a&service=b' },
      { method: 'POST', url: '/api/ussd/customers/nobody/pin-code' },
      { method: 'POST', url: '/api/ussd/pushes', payload: {} },
      { method: 'POST', url: '/api/ussd/pushes', payload: 'x'.repeat(100_000) },
    ] as const;
    for (const request of requests)
      expect([request.url, (await app.inject(request)).statusCode]).toEqual([request.url, 401]);
  });
});
