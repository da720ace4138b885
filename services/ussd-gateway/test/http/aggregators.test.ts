import { ussdReply } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aggregatorRules } from '../../src/aggregators/adapter-rules.fixture.js';
import { aggregatorIds, aggregators } from '../../src/aggregators/shipped.fixture.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { call, screens } from '../support/aggregator-calls.js';
import { type AggregatorId, aggregatorLines } from '../support/aggregator-lines.js';
import { arkeselReply, korbaReply, moolreReply, naloReply } from '../support/documented-replies.js';
import { openTestApp } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

const number = '233200585542';
/** Replies of described aggregators by their documentation; the schemas of the others are written by hand already. */
const documented: Partial<Record<AggregatorId, z.ZodType>> = {
  arkesel: arkeselReply,
  korba: korbaReply,
  moolre: moolreReply,
  nalo: naloReply,
};

/** The aggregators that accept and reply JSON: a valid dial, the schema of every reply, and the message in one. */
const providers = aggregatorIds.flatMap((id) => {
  const [{ reply } = { reply: undefined }] = aggregators[id](aggregatorRules).endpoints;
  if (reply?.type !== 'application/json') return [];
  const { request, read } = aggregatorLines[id];
  const dial = { sessionId: 's', phoneNumber: `+${number}`, dials: true, input: '', text: '', count: 0 };
  const { url, body = '' } = request(dial);
  const good = z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  return [{ id, url, good, form: documented[id] ?? reply.schema, message: (text: string) => read(text).message }];
});

const bodies = [
  ['a slash behind the path', '/', 'application/json', ''],
  ['a type in upper case with a charset', '', 'Application/JSON; Charset=UTF-8', ''],
  ['a byte order mark', '', 'application/json', '\uFEFF'],
  ['plain text', '', 'text/plain', ''],
  ['plain text with a byte order mark', '', 'Text/Plain; charset=utf-8', '\uFEFF'],
] as const;

describe.each(bodies)('a request with %s is served', (_name, slash, type, mark) => {
  it.each(providers)('from $id', async ({ url, good, message }) => {
    app = await openTestApp();
    const request = {
      url: `${url}${slash}`,
      json: `${mark}${JSON.stringify(good)}`,
      headers: { 'content-type': type },
    };
    expect(message((await call(app, request)).text)).toBe(screens.welcome);
  });

  it("from Africa's Talking", async () => {
    app = await openTestApp();
    const form = `${mark}sessionId=s&serviceCode=*384%23&phoneNumber=%2B254711000001&text=`;
    const headers = { 'content-type': type.replace(/application\/json/i, 'Application/X-WWW-Form-Urlencoded') };
    const reply = await call(app, { url: `/api/ussd/africastalking${slash}`, form, headers });
    expect(reply.text).toBe(`CON ${screens.welcome}`);
    const ended = `${mark}sessionId=s&phoneNumber=%2B254711000001&status=Failed`;
    await call(app, { url: `/api/ussd/africastalking/events${slash}`, form: ended, headers });
    expect((await app.inject(`/api/ussd/sessions${slash}`)).json()).toEqual({ activeSessions: [], count: 0 });
  });
});

describe.each(providers)('$id, which accepts only JSON,', ({ url, good, form, message }) => {
  it('gets JSON with 200 if sessions are unavailable', async () => {
    const store = new MemorySessionStore();
    store.hold = async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.5');
    };
    app = await openTestApp({ store });
    const reply = await call(app, { url, json: good });
    expect(reply.status).toBe(200);
    expect(message(reply.text)).toBe(screens.unavailable);
    expect(reply.text).not.toContain('ECONNREFUSED');
  });

  it('gets JSON with 429 over its limit, by address and by subscriber', async () => {
    for (const env of [
      { RATE_LIMIT_MAX: '1' },
      { RATE_LIMIT_TRUSTED_CIDRS: '127.0.0.0/8', RATE_LIMIT_PER_PHONE: '1' },
    ]) {
      app = await openTestApp({ env });
      expect((await call(app, { url, json: good })).status).toBe(200);
      const reply = await call(app, { url, json: good });
      expect(reply.status).toBe(429);
      expect(Number(reply.reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(message(reply.text)).toBe(screens.tooMany);
      if ('RATE_LIMIT_MAX' in env) await app.close();
    }
  });

  it.each(['', '{', 'null', '[]', '"x"', '{"__proto__":{"a":1}}', `{"pad":"${'x'.repeat(5000)}"}`])(
    'gets JSON with 200 for an unusable request: %.20s',
    async (json) => {
      app = await openTestApp();
      const reply = await call(app, { url, json });
      expect(reply.status).toBe(200);
      expect(message(reply.text)).toBe(screens.invalid);
    },
  );

  it('gets only its own format, for any request', async () => {
    app = await openTestApp();
    const hostile = fc.record(
      Object.fromEntries(
        Object.entries(good).map(([name, value]) => [
          name,
          fc.oneof(
            { weight: 3, arbitrary: fc.constant<unknown>(value) },
            { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
            { weight: 1, arbitrary: fc.jsonValue() },
          ),
        ]),
      ),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostile, fc.jsonValue()), async (json) => {
        const reply = await call(app, { url, json: JSON.stringify(json) });
        expect(reply.status).toBe(200);
        expect(form.safeParse(JSON.parse(reply.text)).error).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});

describe('gateways that read text', () => {
  const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(number, '*384#', '1', ''));

  it("Africa's Talking gets one CON or END, for any request", async () => {
    app = await openTestApp();
    const form = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .record({ sessionId: field, phoneNumber: field, serviceCode: field, text: field })
        .map((parts) => new URLSearchParams(parts).toString()),
    );
    await fc.assert(
      fc.asyncProperty(form, async (sent) => {
        const reply = await call(app, { url: '/api/ussd/africastalking', form: sent });
        expect(reply.status).toBe(200);
        expect(ussdReply.safeParse(reply.text).success).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('Comviva gets one text and one Freeflow, for any request', async () => {
    app = await openTestApp();
    await fc.assert(
      fc.asyncProperty(fc.record({ SessionID: field, MSISDN: field, input: field }), async (parts) => {
        const url = `/api/ussd/comviva?${new URLSearchParams(parts).toString()}`;
        const { status, text, reply } = await call(app, { method: 'GET', url });
        expect(status).toBe(200);
        expect(text).not.toBe('');
        expect(['FC', 'FB']).toContain(reply.headers['freeflow']);
      }),
      { numRuns: 200 },
    );
  });
});

it('a subscriber has one count of hops over all aggregators', async () => {
  app = await openTestApp({ env: { RATE_LIMIT_TRUSTED_CIDRS: '127.0.0.1', RATE_LIMIT_PER_PHONE: '2' } });
  const statuses: number[] = [];
  for (const { url, good } of providers.slice(0, 3)) statuses.push((await call(app, { url, json: good })).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it('the API description has every endpoint with its media types', async () => {
  app = await openTestApp();
  const { paths } = (await app.inject('/docs/json')).json<{ paths: Record<string, Record<string, unknown>> }>();
  const described = Object.keys(paths).filter((path) => path.startsWith('/api/ussd/'));
  expect(described).toEqual(
    expect.arrayContaining([
      '/api/ussd/africastalking',
      '/api/ussd/africastalking/events',
      '/api/ussd/hubtel',
      '/api/ussd/arkesel',
      '/api/ussd/nalo',
      '/api/ussd/infobip/session/{sessionId}/start',
      '/api/ussd/comviva',
    ]),
  );
  expect(JSON.stringify(paths['/api/ussd/africastalking'])).toContain('application/x-www-form-urlencoded');
});
