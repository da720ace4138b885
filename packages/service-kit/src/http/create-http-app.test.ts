import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ServiceError, tooManyRequests } from '../errors/service-error.js';
import { createLogger } from '../logging/index.js';
import { createMetrics } from '../metrics/metrics.js';
import { memoryRateLimitStore } from '../rate-limit/index.js';
import { createHttpApp, type HttpAppOptions } from './create-http-app.js';
import { Readiness } from './health.js';
import type { HttpApp } from './http-app-type.js';

const open: HttpApp[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const body = z.object({ name: z.string().min(2) });

async function makeApp(overrides: Partial<HttpAppOptions> = {}): Promise<HttpApp> {
  const app = await createHttpApp({
    version: '1.2.3',
    logger: createLogger({ service: 'test', level: 'silent' }),
    trustProxy: false,
    bodyLimitBytes: 1024,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'test', version: '1.2.3' }),
    metricsAccess: { open: true },
    openapi: { title: 'Test', description: 'A test.' },
    ...overrides,
  });
  app.post(
    '/hello',
    { schema: { body, response: { 200: z.object({ name: z.string() }) } } },
    (request) => request.body,
  );
  app.get('/leak', () => {
    throw new Error('postgres://user:S3CRET@db/app is down');
  });
  app.get('/refuse', () => {
    throw new ServiceError('conflict', 'Already there', {
      headers: { 'x-hint': 'one' },
      details: { fields: ['name'] },
    });
  });
  app.get(
    '/wrong-shape',
    { schema: { response: { 200: z.object({ n: z.number() }) } } },
    () => ({ n: 'S3CRET' }) as never,
  );
  app.get('/items/:id', (request) => ({ ip: request.ip, id: (request.params as { id: string }).id }));
  open.push(app);
  return app;
}

describe('the error funnel', () => {
  it('names the fields of an invalid body', async () => {
    const reply = await (await makeApp()).inject({ method: 'POST', url: '/hello', payload: { name: 'x' } });
    expect(reply.json()).toMatchObject({ statusCode: 400, error: 'Bad Request', fields: ['name'] });
    expect(reply.json().message).toContain('body.name');
  });

  it.each([
    ['an unknown route', { url: '/nowhere?token=S3CRET' }, 404],
    [
      'broken JSON',
      { method: 'POST', url: '/hello', headers: { 'content-type': 'application/json' }, payload: '{"a' },
      400,
    ],
    [
      'a foreign media type',
      { method: 'POST', url: '/hello', headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
      415,
    ],
    ['a body over the limit', { method: 'POST', url: '/hello', payload: { name: 'x'.repeat(2000) } }, 413],
    ['a path that cannot be decoded', { url: '/items/%E0%A4%A' }, 400],
    ['an unknown throw', { url: '/leak' }, 500],
    ['a reply that breaks its own schema', { url: '/wrong-shape' }, 500],
    ['a service error', { url: '/refuse' }, 409],
  ] as const)('answers %s in the one error shape, with a request id and no secret', async (_name, request, status) => {
    const reply = await (await makeApp()).inject(request);
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({ statusCode: status, error: expect.any(String), message: expect.any(String) });
    expect(reply.headers['x-request-id']).toMatch(/^[\w.:-]{1,128}$/);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.body).not.toContain('S3CRET');
  });

  it('lets the service format failures, with a status of its own', async () => {
    const app = await makeApp({ renderError: (error) => ({ body: `END ${error.code}`, status: 200 }) });
    const reply = await app.inject({ url: '/leak' });
    expect([reply.statusCode, reply.body, reply.headers['content-type']]).toEqual([
      200,
      'END internal',
      'text/plain; charset=utf-8',
    ]);
  });

  it.each([
    ['GET / HTP/1.1\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('answers bytes that are not HTTP in the same shape', async (bytes, status) => {
    const app = await makeApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(bytes);
    const reply = await text(socket);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(reply).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ statusCode: status });
  });
});

it('bounds the time to send a request, and the bytes of a body', async () => {
  const app = await makeApp();
  expect(app.server.requestTimeout).toBe(30_000);
  const payload = { name: 'x'.repeat(2_000) };
  expect((await app.inject({ method: 'POST', url: '/hello', payload })).statusCode).toBe(413);
});

describe('request ids', () => {
  it('echoes a valid one and replaces any other', async () => {
    const app = await makeApp();
    const idFor = async (input: string) =>
      (await app.inject({ url: '/items/1', headers: { 'x-request-id': input } })).headers['x-request-id'];
    expect(await idFor('abc-1.2:3')).toBe('abc-1.2:3');
    for (const bad of ['a b', 'x'.repeat(129), '<script>', '']) expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('security headers', () => {
  it('are on every reply, errors included', async () => {
    const app = await makeApp();
    for (const url of ['/items/1', '/nowhere', '/leak', '/health/live']) {
      expect((await app.inject({ url })).headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'self'"),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  it('are one on routes for programs, failures included', async () => {
    const app = await makeApp();
    app.get('/programs', { config: { programsOnly: true } }, ({ query }) => {
      if (Object.hasOwn(query as object, 'fails')) throw new Error('it fails');
      return { fine: true };
    });
    for (const url of ['/programs', '/programs?fails']) {
      const { headers } = await app.inject({ url });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(Object.keys(headers).toSorted()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'date',
        'x-content-type-options',
        'x-request-id',
      ]);
    }
  });
});

describe('forwarded addresses', () => {
  const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.1.1' };
  it('are ignored unless proxies are trusted', async () => {
    expect((await (await makeApp()).inject({ url: '/items/1', headers })).json().ip).toBe('127.0.0.1');
  });
  it('give the right-most address that is not a trusted proxy', async () => {
    const app = await makeApp({ trustProxy: ['127.0.0.0/8', '10.0.0.0/8'] });
    expect((await app.inject({ url: '/items/1', headers })).json().ip).toBe('203.0.113.9');
  });
  it('accept addresses with ports, as some proxies write them', async () => {
    const app = await makeApp({ trustProxy: ['127.0.0.0/8', '10.0.0.0/8'], rewriteUrl: () => '/items/2' });
    const seenAs = async (forwarded: string) =>
      (await app.inject({ url: '/items/1', headers: { 'x-forwarded-for': forwarded } })).json();
    expect(await seenAs('6.6.6.6:1, 203.0.113.9:40712, 10.1.1.1:443')).toEqual({ ip: '203.0.113.9', id: '2' });
    expect(await seenAs('[2001:db8::7]:40712')).toEqual({ ip: '2001:db8::7', id: '2' });
    expect(await seenAs('2001:db8::7:4071')).toEqual({ ip: '2001:db8::7:4071', id: '2' });
  });
});

describe('the rate limit', () => {
  const rateLimit = () => ({ max: 2, windowMs: 60_000, store: memoryRateLimitStore() });
  it('counts known and unknown paths alike, reports the remaining requests, and refuses with Retry-After', async () => {
    const app = await makeApp({ rateLimit: rateLimit() });
    const first = await app.inject({ url: '/items/1' });
    expect(first.headers['ratelimit-policy']).toBe('"default";q=2;w=60');
    expect(first.headers['ratelimit']).toMatch(/^"default";r=1;t=\d+$/);
    await app.inject({ url: '/nowhere' });
    const third = await app.inject({ url: '/items/1' });
    expect(third.json()).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(third.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/);
  });
  it('never refuses a probe', async () => {
    const app = await makeApp({ rateLimit: rateLimit() });
    for (let i = 0; i < 5; i++) expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200);
  });
  it('skips callers without a limit and sends them no limit headers', async () => {
    const app = await makeApp({ rateLimit: { ...rateLimit(), max: 1, maxOf: () => undefined } });
    for (let i = 0; i < 3; i++) {
      const reply = await app.inject({ url: '/items/1' });
      expect([reply.statusCode, reply.headers['ratelimit']]).toEqual([200, undefined]);
    }
  });
  it('can count by another key and with another limit', async () => {
    const keyed = {
      ...rateLimit(),
      keyOf: (r: { headers: Record<string, unknown> }) => String(r.headers['x-user']),
      maxOf: () => 1,
    };
    const app = await makeApp({ rateLimit: keyed });
    const statusFor = async (user: string) =>
      (await app.inject({ url: '/items/1', headers: { 'x-user': user } })).statusCode;
    expect([await statusFor('a'), await statusFor('a'), await statusFor('b')]).toEqual([200, 429, 200]);
  });
});

describe('health, metrics and description', () => {
  it('is always live, and ready only while the back ends are up and no shutdown began', async () => {
    const readiness = new Readiness({ database: () => Promise.reject(new Error('down')) });
    const app = await makeApp({ readiness });
    expect((await app.inject({ url: '/health/live' })).json()).toEqual({ status: 'ok' });
    const reply = await app.inject({ url: '/health/ready' });
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      { status: 'not ready', draining: false, checks: { database: 'down' } },
    ]);
  });
  it('turns readiness red while draining, and serves as before', async () => {
    const readiness = new Readiness({});
    const app = await makeApp({ readiness });
    readiness.startDraining();
    expect((await app.inject({ url: '/health/ready' })).statusCode).toBe(503);
    const reply = await app.inject({ url: '/items/1' });
    expect([reply.statusCode, reply.headers.connection]).toEqual([200, 'keep-alive']);
  });
  it('still serves while closing, and closes connections after their reply', async () => {
    const readiness = new Readiness({});
    const app = await makeApp({ readiness });
    readiness.startClosing();
    const reply = await app.inject({ url: '/items/1' });
    expect([reply.statusCode, reply.headers.connection]).toEqual([200, 'close']);
  });
  it('measures by route pattern, never by path', async () => {
    const app = await makeApp();
    await app.inject({ url: '/items/S3CRET' });
    const { body: metrics } = await app.inject({ url: '/metrics' });
    expect(metrics).toContain('route="/items/:id"');
    expect(metrics).not.toContain('S3CRET');
  });
  it('counts 429 replies by the limit that was reached', async () => {
    const app = await makeApp({ rateLimit: { max: 1, windowMs: 60_000, store: memoryRateLimitStore() } });
    app.get('/twice', { config: { probe: true } }, () => {
      throw tooManyRequests(1, 'twice');
    });
    for (const url of ['/items/1', '/items/1', '/items/1', '/twice']) await app.inject({ url });
    const { body: metrics } = await app.inject({ url: '/metrics' });
    const reported = ['caller', 'address', 'overload', 'twice'].map(
      (limiter) => new RegExp(`^requests_refused_total\\{limiter="${limiter}".*\\} (\\d+)$`, 'm').exec(metrics)?.[1],
    );
    expect(reported).toEqual(['2', '0', '0', '1']);
  });
  it('answers metrics only with the token, and never when they are disabled', async () => {
    const guarded = await makeApp({ metricsAccess: { token: 'a-metrics-token-here', open: false } });
    const statusFor = async (authorization?: string) =>
      (await guarded.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } }))
        .statusCode;
    expect([
      await statusFor(),
      await statusFor('Bearer wrong'),
      await statusFor('Bearer a-metrics-token-here'),
    ]).toEqual([401, 401, 200]);
    expect((await (await makeApp({ metricsAccess: { open: false } })).inject({ url: '/metrics' })).statusCode).toBe(
      404,
    );
  });
  it('describes the mounted routes and serves a page on them', async () => {
    const app = await makeApp();
    const description = (await app.inject({ url: '/docs/json' })).json();
    expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    expect(Object.keys(description.paths)).toContain('/hello');
    expect(description).toMatchObject({ servers: [{ url: '..' }], security: [] });
    expect(description.paths['/hello'].post.operationId).toBe('postHello');
    expect((await app.inject({ url: '/docs' })).headers.location).toBe('docs/');
    const page = await app.inject({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });
});
