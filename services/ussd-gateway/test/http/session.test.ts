import { ussdReply } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fitsMessage, networkLimits } from '../../src/engine/pages/message-limits.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { openTestApp, sendHop, subscriber, type TestAppOptions } from '../support/test-app.js';

let app: HttpApp;
const open = async (options: TestAppOptions = {}) => {
  app = await openTestApp(options);
  return app;
};
afterEach(async () => app.close());

const welcome = 'CON Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit';
const information = 'CON Information Center\n1. About this service\n2. Pricing\n3. Delivery\n*. Exit';
const invalid = 'END Invalid input. Please try again.';
const unavailable = 'END Service temporarily unavailable. Please try again later.';
const plainText = 'text/plain; charset=utf-8';

describe('POST /api/ussd', () => {
  it('answers a dial with the welcome menu, as plain text', async () => {
    expect(await sendHop(await open(), '')).toMatchObject({ status: 200, type: plainText, text: welcome });
  });

  it('answers 1 with the information menu', async () => {
    await sendHop(await open(), '');
    expect(await sendHop(app, '1')).toMatchObject({ status: 200, type: plainText, text: information });
  });

  it('puts the name of the service into the welcome line', async () => {
    expect((await sendHop(await open({ env: { APP_NAME: 'Shamba $& Co' } }), '')).text).toContain(
      'Welcome to Shamba $& Co\n',
    );
  });

  it('replies to the exit key with END, and closes the session', async () => {
    await sendHop(await open(), '');
    await sendHop(app, '1');
    expect((await sendHop(app, '1**')).text).toBe('END Thank you for using Mlango. Goodbye!');
    expect((await sendHop(app, '1**')).text).toBe('END Thank you for using Mlango. Goodbye!');
    expect((await sendHop(app, '1**1')).text).toBe('END Session expired. Please dial again.');
  });

  it('ignores unknown fields', async () => {
    expect((await sendHop(await open(), '', { networkCode: '64501', nested: { a: [1] } })).text).toBe(welcome);
  });

  it('separates subscribers with the same session id', async () => {
    await sendHop(await open(), '');
    await sendHop(app, '1');
    expect((await sendHop(app, '', { phoneNumber: '+254700000001' })).text).toBe(welcome);
    expect((await sendHop(app, '1*2')).text).toContain('free');
  });

  it.each([
    ['a number without +', { phoneNumber: '260971230567' }],
    ['a number with a space', { phoneNumber: '+260 971230567' }],
    ['an invalid service code', { serviceCode: '384' }],
    ['a service code of three levels', { serviceCode: '*384*1*2#' }],
    ['a session id of 101 characters', { sessionId: 'x'.repeat(101) }],
    ['a text of 183 characters', { text: '1'.repeat(183) }],
    ['a missing text', { text: undefined }],
    ['a number as text', { text: 1 }],
    ['a null', { sessionId: null }],
  ])('refuses %s with 200 and END', async (_name, change) => {
    expect(await sendHop(await open(), '', change)).toMatchObject({ status: 200, type: plainText, text: invalid });
  });

  it('accepts text and session id of the longest length', async () => {
    const reply = await sendHop(await open(), '1'.repeat(182), { sessionId: 'x'.repeat(100) });
    expect(reply).toMatchObject({ status: 200, text: expect.stringMatching(/^CON Invalid choice\./) });
  });

  it('accepts deeper service codes if they are allowed', async () => {
    await open({ env: { SERVICE_CODE_LEVELS: '3' } });
    expect((await sendHop(app, '', { serviceCode: '*384*1*2#' })).text).toBe(welcome);
  });

  const json = { 'content-type': 'application/json' };
  it.each([
    ['malformed JSON', json, '{"sessionId":'],
    ['an empty body', json, ''],
    ['no body and no type', {}, undefined],
    ['a JSON string', json, '"text"'],
    ['a JSON null', json, 'null'],
    ['an array', json, '[]'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'sessionId=s&text='],
    ['plain text', { 'content-type': 'text/plain' }, JSON.stringify({ ...subscriber, text: '' })],
    ['an unknown type', { 'content-type': 'nonsense' }, JSON.stringify({ ...subscriber, text: '' })],
    ['a body over 4 KiB', json, JSON.stringify({ ...subscriber, text: '', pad: 'x'.repeat(4096) })],
    ['a poisoned prototype', json, '{"__proto__":{"a":1},"sessionId":"s","text":""}'],
  ])('answers %s with 200 and END', async (_name, headers, payload) => {
    await open();
    const reply = await app.inject({
      method: 'POST',
      url: '/api/ussd',
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    expect({ status: reply.statusCode, type: reply.headers['content-type'], text: reply.body }).toEqual({
      status: 200,
      type: plainText,
      text: invalid,
    });
  });

  it('accepts a body of exactly 4 KiB', async () => {
    const empty = JSON.stringify({ ...subscriber, text: '', pad: '' });
    expect((await sendHop(await open(), '', { pad: 'x'.repeat(4096 - empty.length) })).text).toBe(welcome);
  });

  it('answers with 200 and END if sessions are unavailable, without the cause', async () => {
    const store = new MemorySessionStore();
    store.hold = async () => {
      throw new Error('connect ECONNREFUSED redis://:secret@10.0.0.5');
    };
    expect(await sendHop(await open({ store }), '')).toMatchObject({ status: 200, type: plainText, text: unavailable });
  });

  it('answers with 200 and END at the deadline if sessions do not answer', async () => {
    const store = new MemorySessionStore();
    store.hold = () => new Promise(() => {});
    await open({ store, env: { HOP_DEADLINE_MS: '100' } });
    expect(await sendHop(app, '')).toMatchObject({ status: 200, text: unavailable });
  });

  it('returns fifty equal replies to fifty equal concurrent requests', async () => {
    await sendHop(await open(), '');
    const replies = await Promise.all(Array.from({ length: 50 }, () => sendHop(app, '1')));
    expect(new Set(replies.map(({ text }) => text))).toEqual(new Set([information]));
  });

  it('answers any request with one CON or END of legal size', async () => {
    await open();
    const anything = fc.record({
      sessionId: fc.oneof(fc.constantFrom('a', 'b'), fc.string({ unit: 'binary' })),
      phoneNumber: fc.constantFrom('+260971230567', '+254700000001'),
      text: fc.oneof(
        fc.constantFrom('', '1', '1*2', '1**', '*', '2', '1*98'),
        fc.string({ unit: 'binary', maxLength: 190 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(anything, async ({ text, ...change }) => {
        const reply = await sendHop(app, text, change);
        expect(reply.status).toBe(200);
        expect(ussdReply.safeParse(reply.text).success).toBe(true);
        expect(fitsMessage(reply.text.slice(4), networkLimits)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves neither number nor text in the log', async () => {
    const lines: string[] = [];
    await open({ log: (line) => lines.push(line) });
    await sendHop(app, '', {});
    await sendHop(app, '90210');
    await sendHop(app, '1'.repeat(183));
    expect(lines.length).toBeGreaterThan(2);
    for (const secret of ['260971230567', '90210', '11111']) expect(lines.join('')).not.toContain(secret);
  });
});

describe('the rate limit', () => {
  const limited = { env: { RATE_LIMIT_MAX: '3' } };

  it('answers hops over it with 429, with a text for the user', async () => {
    await open(limited);
    for (let hop = 0; hop < 3; hop++) expect((await sendHop(app, '')).status).toBe(200);
    const reply = await sendHop(app, '');
    expect(reply).toMatchObject({
      status: 429,
      type: plainText,
      text: 'END Too many requests. Please try again later.',
    });
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('answers other routes over it with JSON', async () => {
    await open(limited);
    for (let call = 0; call < 3; call++) await app.inject('/api/ussd/sessions');
    const reply = await app.inject('/api/ussd/sessions');
    expect(reply.statusCode).toBe(429);
    expect(reply.json()).toEqual({ statusCode: 429, error: 'Too Many Requests', message: expect.any(String) });
  });

  it('is 100 a minute by default, counted per address', async () => {
    await open({ env: { RATE_LIMIT_MAX: '' } });
    for (let hop = 0; hop < 100; hop++) expect((await sendHop(app, '', {}, '192.0.2.1')).status).toBe(200);
    expect((await sendHop(app, '', {}, '192.0.2.1')).status).toBe(429);
    expect((await sendHop(app, '', {}, '192.0.2.2')).status).toBe(200);
  });

  it('counts forwarded addresses behind a trusted proxy only', async () => {
    const call = (forwarded: string) =>
      app.inject({
        method: 'POST',
        url: '/api/ussd',
        headers: { 'x-forwarded-for': forwarded },
        payload: { ...subscriber, text: '' },
      });
    await open({ env: { RATE_LIMIT_MAX: '1', TRUST_PROXY_ENABLED: 'true' } });
    expect((await call('198.51.100.1')).statusCode).toBe(200);
    expect((await call('198.51.100.2')).statusCode).toBe(200);
    expect((await call('203.0.113.9, 198.51.100.1')).statusCode).toBe(429);
    await app.close();
    await open({ env: { RATE_LIMIT_MAX: '1' } });
    expect((await call('198.51.100.1')).statusCode).toBe(200);
    expect((await call('198.51.100.2')).statusCode).toBe(429);
  });

  it('is per subscriber for callers from trusted addresses', async () => {
    await open({
      env: { RATE_LIMIT_MAX: '1', RATE_LIMIT_PER_PHONE: '2', RATE_LIMIT_TRUSTED_CIDRS: '192.0.2.0/24,2001:db8::/32' },
    });
    const dial = (phoneNumber: string, address: string) => sendHop(app, '', { phoneNumber }, address);
    for (const address of ['192.0.2.7', '2001:db8::7']) {
      expect((await dial('+260971230567', address)).status).toBe(200);
      expect((await dial('+254700000001', '192.0.2.7')).status).toBe(200);
    }
    const refused = await dial('+260971230567', '192.0.2.7');
    expect(refused).toMatchObject({ status: 429, text: 'END Too many requests. Please try again later.' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await dial('+260971230567', '198.51.100.1')).status).toBe(200);
    expect((await dial('+260971230567', '198.51.100.1')).status).toBe(429);
  });
});
