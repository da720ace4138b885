import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { afterEach, describe, expect, it } from 'vitest';
import { renderJsonError } from '../errors/service-error.js';
import { memoryRateLimitStore, type RateLimitStore } from '../rate-limit/index.js';
import { errorFunnel } from './error-funnel.js';
import type { HttpApp } from './http-app-type.js';
import { limitRate, type RateLimitOptions, refusalFirst } from './rate-limiting.js';

let app: HttpApp;
afterEach(async () => app.close());

async function limited(overrides: Partial<RateLimitOptions> = {}): Promise<HttpApp> {
  app = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const funnel = errorFunnel(renderJsonError);
  app.setErrorHandler(refusalFirst(funnel.send));
  app.setNotFoundHandler(funnel.notFound);
  await limitRate(app, { max: 2, windowMs: 60_000, store: memoryRateLimitStore(), ...overrides });
  app.get('/', () => 'served');
  return app;
}

const statusesOf = (replies: readonly { statusCode: number }[]) => replies.map(({ statusCode }) => statusCode);

describe('limitRate', () => {
  it('serves exactly the limit from one burst', async () => {
    await limited({ max: 20 });
    const replies = await Promise.all(Array.from({ length: 50 }, () => app.inject('/')));
    expect(statusesOf(replies).filter((status) => status === 200)).toHaveLength(20);
    expect(statusesOf(replies).filter((status) => status === 429)).toHaveLength(30);
  });

  it('counts an IPv6 caller by its /64', async () => {
    await limited();
    const from = async (remoteAddress: string) => (await app.inject({ url: '/', remoteAddress })).statusCode;
    expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3')]).toEqual([200, 200, 429]);
    expect(await from('2001:db8:0:1::1')).toBe(200);
  });

  it('refuses before the hooks of the route and before a body is read', async () => {
    await limited({ max: 0 });
    const seen: string[] = [];
    app.post(
      '/',
      {
        preParsing: (_request, _reply, _payload, done) => {
          seen.push('hook');
          done();
        },
      },
      () => 'served',
    );
    const headers = { 'content-type': 'application/json' };
    expect((await app.inject({ method: 'POST', url: '/', headers, payload: '{' })).statusCode).toBe(429);
    expect(seen).toEqual([]);
  });

  it('notifies of each refusal only', async () => {
    const refused: string[] = [];
    await limited({ onRefused: (request) => refused.push(request.url) });
    for (const url of ['/', '/nowhere', '/a', '/b']) await app.inject(url);
    expect(refused).toEqual(['/a', '/b']);
  });

  it('counts the requests of a caller across routes with different limits, and none of routes without a limit', async () => {
    const limits: Readonly<Record<string, number>> = { '/': 2, '/dear': 1 };
    await limited({ maxOf: ({ url }) => limits[url] });
    app.get('/dear', () => 'served');
    app.get('/free', () => 'served');
    const replies = [];
    for (const url of ['/free', '/', '/free', '/dear', '/', '/free']) replies.push(await app.inject(url));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 429, 429, 200]);
    expect(replies.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
      [undefined, 2, undefined, 1, 2, undefined].map((max) => max && `"default";q=${max};w=60`),
    );
  });

  it('answers a failing store as a server error, and serves no request', async () => {
    const fail = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5'));
    const unavailable: RateLimitStore = { hit: fail, forget: fail };
    await limited({ store: unavailable });
    const reply = await app.inject('/');
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('10.0.0.5');
  });

  it('sends the limit headers of the current draft only', async () => {
    await limited();
    for (let count = 0; count < 3; count++) {
      const { headers } = await app.inject('/');
      expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([
        'ratelimit-policy',
        'ratelimit',
      ]);
    }
  });

  it('lets a route have its own limit in addition to the general one, with the same refusal', async () => {
    await limited({ max: 100 });
    app.get('/dear', { config: { rateLimit: { max: 1, timeWindow: 60_000 } } }, () => 'served');
    app.get('/dearer', { config: { rateLimit: { max: 1, timeWindow: 60_000 } } }, () => 'served');
    expect((await app.inject('/dear')).statusCode).toBe(200);
    const refused = await app.inject('/dear');
    expect(refused.json()).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await app.inject('/dearer')).statusCode).toBe(200);
    expect((await app.inject('/')).headers['ratelimit']).toMatch(/^"default";r=96;/);
  });

  describe('counting parallel to the handler', () => {
    const payload = { a: 1 };

    /** A route that reports when it began and when it continued. */
    async function concurrentRoute(store: RateLimitStore) {
      await limited({ max: 1, store });
      const seen: string[] = [];
      app.post('/beside', { config: { limitedConcurrently: true } }, async (request) => {
        seen.push('begun');
        await request.admission;
        seen.push('admitted');
        return 'served';
      });
      return {
        seen,
        post: (body: object | string = payload) => app.inject({ method: 'POST', url: '/beside', ...sent(body) }),
      };
    }

    const sent = (body: object | string) => ({ payload: body, headers: { 'content-type': 'application/json' } });

    it('starts a handler before the count is known, and still refuses requests over the limit', async () => {
      const { seen, post } = await concurrentRoute(memoryRateLimitStore());
      expect((await post()).statusCode).toBe(200);
      const refused = await post();
      expect(refused.statusCode).toBe(429);
      expect(refused.headers['ratelimit']).toMatch(/^"default";r=0;/);
      expect(seen).toEqual(['begun', 'admitted', 'begun']);
    });

    it('answers a request over the limit with that error only, also if the request is invalid', async () => {
      const { post } = await concurrentRoute(memoryRateLimitStore());
      expect((await post('{')).statusCode).toBe(400);
      expect((await post('{')).statusCode).toBe(429);
    });

    it('counts before the handler for a while after a refusal, so that repeated excess costs no handler', async () => {
      const { seen, post } = await concurrentRoute(memoryRateLimitStore());
      for (let count = 0; count < 4; count++) await post();
      expect(seen).toEqual(['begun', 'admitted', 'begun']);
    });

    it('answers a failing store as a server error', async () => {
      const fail = () => Promise.reject(new Error('away'));
      const { seen, post } = await concurrentRoute({ hit: fail, forget: fail });
      expect([(await post()).statusCode, (await post('{')).statusCode]).toEqual([500, 500]);
      expect(seen).toEqual(['begun']);
    });
  });
});
