import { jsonError } from '@mlango/schemas/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Deps } from '../src/deps.js';
import { headersOf, newSession, oracle, testApp } from './app.fixture.js';

const missingText =
  'Missing UCAN authentication: provide Authorization: Bearer <invocation> with X-Auth-Type: ucan, or an x-ucan-delegation header';

let app: HttpApp;
let deps: Deps;
let asha: Record<string, string>;
beforeAll(async () => {
  ({ app, deps } = await testApp());
  asha = await headersOf('a');
});
afterAll(() => app.close());

const protectedCalls = [
  { method: 'POST', url: '/sessions' },
  { method: 'GET', url: '/sessions' },
  { method: 'PATCH', url: '/sessions/x' },
  { method: 'DELETE', url: '/sessions/x' },
  { method: 'GET', url: '/sessions/search?q=x' },
  { method: 'GET', url: '/account/export' },
  { method: 'DELETE', url: '/account' },
  { method: 'POST', url: '/messages/x' },
  { method: 'GET', url: '/messages/x' },
  { method: 'POST', url: '/messages/abort' },
  { method: 'GET', url: '/sessions/x/messages' },
  { method: 'POST', url: '/sessions/x/messages/m/regenerate' },
  { method: 'GET', url: '/sessions/x/branches' },
  { method: 'PUT', url: '/sessions/x/branch' },
  { method: 'GET', url: '/sessions/x/run' },
  { method: 'GET', url: '/runs/x' },
  { method: 'POST', url: '/revocations' },
  { method: 'GET', url: '/user-preferences' },
  { method: 'PUT', url: '/user-preferences' },
  { method: 'GET', url: '/memories' },
  { method: 'DELETE', url: '/memories/x' },
  { method: 'POST', url: '/attachments?sessionId=x&filename=x' },
  { method: 'GET', url: '/attachments' },
  { method: 'GET', url: '/attachments/x' },
  { method: 'DELETE', url: '/attachments/x' },
  { method: 'GET', url: '/sessions/x/feedback' },
  { method: 'PUT', url: '/sessions/x/feedback/m' },
  { method: 'DELETE', url: '/sessions/x/feedback/m' },
] as const;

describe('public routes', () => {
  it('answer without authentication', async () => {
    const landing = await app.inject({ url: '/' });
    expect(landing.statusCode).toBe(200);
    expect(landing.json()).toEqual({ status: 'ok', message: expect.any(String), timestamp: expect.any(String) });
    const health = (await app.inject({ url: '/health' })).json();
    expect(health).toEqual({ status: 'ok', timestamp: expect.any(String) });
    expect(new Date(health.timestamp).toISOString()).toBe(health.timestamp);
    expect((await app.inject({ url: '/models' })).json()).toEqual({
      models: [{ id: 'local', label: 'Built-in model', isDefault: true }],
      default: 'local',
    });
    expect((await app.inject({ url: '/docs/' })).headers['content-type']).toContain('text/html');
    expect((await app.inject({ url: '/docs/static/swagger-ui.css' })).statusCode).toBe(200);
  });

  it('ignore auth headers', async () => {
    const look = vi.spyOn(deps.auth, 'request');
    const headers = { authorization: 'Bearer nonsense', 'x-auth-type': 'ucan', 'x-ucan-delegation': '!' };
    for (const url of ['/', '/health', '/models', '/docs', '/docs/json', '/no/such/route']) {
      expect((await app.inject({ url, headers })).statusCode, url).not.toBe(401);
    }
    expect(look).not.toHaveBeenCalled();
    look.mockRestore();
  });
});

describe('protected routes', () => {
  it.each(protectedCalls)('refuse $method $url without a token with the fixed text', async (call) => {
    for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: 'Bearer x', 'x-auth-type': 'UCAN' }]) {
      const reply = await app.inject({ ...call, headers });
      expect(reply.json()).toEqual({ statusCode: 401, error: 'Unauthorized', message: missingText });
      expect([reply.statusCode, reply.headers['x-request-id']]).toEqual([401, expect.any(String)]);
    }
  });

  it.each(protectedCalls)(
    'refuse $method $url with an invalid invocation with the fixed text, independent of other headers',
    async (call) => {
      const signer = signerFromSeed(Buffer.alloc(32, 'a'));
      const delegation = await mintDelegation({
        signer,
        audience: oracle.did,
        capabilities: [{ can: '*', with: 'ixo:oracle' }],
      });
      const expired = await mintInvocation({
        signer,
        audience: oracle.did,
        expiresAt: Math.floor(Date.now() / 1000) - 1,
      });
      const foreign = await mintInvocation({ signer, audience: signer.did });
      for (const token of ['nonsense', expired, foreign]) {
        const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan', 'x-ucan-delegation': delegation };
        const reply = await app.inject({ ...call, headers });
        expect(reply.statusCode).toBe(401);
        expect(reply.json()).toEqual({ statusCode: 401, error: 'Unauthorized', message: 'Invalid UCAN invocation' });
      }
    },
  );

  it('accept a delegation alone, and tokens for either DID of the oracle', async () => {
    const signer = signerFromSeed(Buffer.alloc(32, 'a'));
    const delegation = await mintDelegation({
      signer,
      audience: oracle.did,
      capabilities: [{ can: 'x/y', with: signer.did }],
    });
    const sessionId = await newSession(app, asha);
    const byDelegation = { 'x-ucan-delegation': delegation };
    const listed = (await app.inject({ url: '/sessions?limit=100', headers: byDelegation })).json();
    expect(listed.sessions.map((session: { sessionId: string }) => session.sessionId)).toContain(sessionId);
    expect((await app.inject({ url: '/sessions', headers: await headersOf('a', oracle.entityDid) })).statusCode).toBe(
      200,
    );
  });

  it('ignore x-did', async () => {
    const headers = { ...(await headersOf('q')), 'x-did': signerFromSeed(Buffer.alloc(32, 'a')).did };
    expect((await app.inject({ url: '/sessions', headers })).json().total).toBe(0);
  });
});

describe('every reply', () => {
  const json = { 'content-type': 'application/json' };
  const failures = [
    ['an unknown route', 404, { method: 'GET', url: '/no/such' }],
    ['a route of another method', 404, { method: 'PUT', url: '/sessions' }],
    ['broken JSON', 400, { method: 'POST', url: '/messages/x', headers: json, payload: '{"message":' }],
    [
      'a poisoned prototype',
      400,
      { method: 'POST', url: '/messages/x', headers: json, payload: '{"__proto__":{"a":1}}' },
    ],
    ['an empty body where one is needed', 400, { method: 'POST', url: '/messages/x', headers: json, payload: '' }],
    [
      'a foreign content type',
      415,
      { method: 'POST', url: '/messages/x', headers: { 'content-type': 'text/plain' }, payload: 'hi' },
    ],
    [
      'a body beyond 256 KiB',
      413,
      { method: 'POST', url: '/messages/x', headers: json, payload: `"${'x'.repeat(262_144)}"` },
    ],
    ['a broken path', 400, { method: 'GET', url: '/messages/%E0%A4%A' }],
  ] as const;

  it.each(failures)('to %s is JSON with status %d in it, and has a request id', async (_what, status, call) => {
    const reply = await app.inject({ ...call, headers: { ...asha, ...('headers' in call ? call.headers : {}) } });
    expect(reply.statusCode).toBe(status);
    expect(reply.headers['content-type']).toContain('application/json');
    expect(jsonError.parse(reply.json()).statusCode).toBe(status);
    expect(reply.headers['x-request-id']).toEqual(expect.stringMatching(/^[\w.:-]{1,128}$/));
  });

  it('accepts a body of 256 KiB', async () => {
    const payload = JSON.stringify({ message: 'hi', metadata: {}, junk: '' }).replace('""', `"${'x'.repeat(262_000)}"`);
    const reply = await app.inject({ method: 'POST', url: '/messages/x', headers: { ...asha, ...json }, payload });
    expect(reply.statusCode).toBe(404);
  });

  it('does not expose internal failures', async () => {
    const failing = vi
      .spyOn(deps.conversations, 'listSessions')
      .mockRejectedValueOnce(new Error('postgres://user:secret@db'));
    const reply = await app.inject({ url: '/sessions', headers: asha });
    expect(reply.json()).toEqual({ statusCode: 500, error: 'Internal Server Error', message: 'Internal server error' });
    failing.mockRejectedValueOnce(Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' }));
    const unavailable = await app.inject({ url: '/sessions', headers: asha });
    expect([unavailable.statusCode, unavailable.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect(unavailable.body).not.toContain('connect');
    failing.mockRestore();
  });

  it('echoes a valid request id and replaces any other', async () => {
    const idOf = async (id: string) =>
      (await app.inject({ url: '/health', headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idOf('trace:1.a_B-2')).toBe('trace:1.a_B-2');
    expect(await idOf('bad id')).not.toBe('bad id');
    expect(await idOf('x'.repeat(129))).toHaveLength(36);
  });
});

describe('the rate limit', () => {
  it('counts each user separately, and unauthenticated callers by address', async () => {
    const limited = await testApp({ rateLimitMax: 3 });
    const get = (headers: Record<string, string>, url = '/sessions') => limited.app.inject({ url, headers });
    const bo = await headersOf('b');
    for (let i = 0; i < 3; i++) expect((await get(asha)).statusCode).toBe(200);
    const refused = await get(asha);
    expect(refused.statusCode).toBe(429);
    expect(jsonError.parse(refused.json()).statusCode).toBe(429);
    expect(refused.headers['retry-after']).toEqual(expect.any(String));
    expect(refused.headers['x-request-id']).toEqual(expect.any(String));
    expect((await get(bo)).statusCode).toBe(200);
    for (let i = 0; i < 3; i++) expect((await get({}, '/')).statusCode).toBe(200);
    expect((await get({}, '/')).statusCode).toBe(429);
    for (let i = 0; i < 10; i++) expect((await get({}, '/health')).statusCode).toBe(200);
    await limited.app.close();
  });
});

describe('the rate limit of refused callers', () => {
  it('counts them by address, independent of their tokens', async () => {
    const limited = await testApp({ rateLimitMax: 3 });
    const statuses = [];
    for (const headers of [
      {},
      { 'x-ucan-delegation': 'x' },
      { authorization: 'Bearer x', 'x-auth-type': 'ucan' },
      {},
    ]) {
      statuses.push((await limited.app.inject({ method: 'POST', url: '/sessions', headers })).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await limited.app.inject({ url: '/sessions', headers: asha })).statusCode).toBe(200);
    await limited.app.close();
  });
});

describe('the description of the API', () => {
  it('lists every route with every status that it can return', async () => {
    const document = (await app.inject({ url: '/docs/json' })).json();
    expect(document.openapi).toMatch(/^3\.1/);
    const paths = Object.keys(document.paths).filter((path) => !path.startsWith('/health/'));
    expect(paths.toSorted()).toEqual([
      '/',
      '/account',
      '/account/export',
      '/approvals',
      '/approvals/always',
      '/approvals/always/{id}',
      '/attachments',
      '/attachments/{attachmentId}',
      '/delegation',
      '/feedback',
      '/health',
      '/memories',
      '/memories/{id}',
      '/messages/abort',
      '/messages/{sessionId}',
      '/models',
      '/revocations',
      '/runs/{runId}',
      '/runs/{runId}/approvals/{toolCallId}',
      '/sessions',
      '/sessions/search',
      '/sessions/{sessionId}',
      '/sessions/{sessionId}/branch',
      '/sessions/{sessionId}/branches',
      '/sessions/{sessionId}/feedback',
      '/sessions/{sessionId}/feedback/{messageId}',
      '/sessions/{sessionId}/messages',
      '/sessions/{sessionId}/messages/{messageId}/regenerate',
      '/sessions/{sessionId}/run',
      '/user-preferences',
    ]);
    const send = document.paths['/messages/{sessionId}'].post;
    expect(Object.keys(send.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '409', '413', '429', '503']),
    );
    expect(Object.keys(send.responses['200'].content)).toEqual(['application/json', 'text/event-stream']);
    expect(send.requestBody.content['application/json'].schema.properties.message).toMatchObject({
      minLength: 1,
      maxLength: 32_000,
    });
    const [limit] = document.paths['/sessions'].get.parameters;
    expect(limit).toMatchObject({
      name: 'limit',
      required: false,
      schema: { type: 'integer', maximum: 100 },
    });
    expect(send.security).toEqual([{ ucan: [], ucanSelector: [] }, { delegation: [] }]);
  });
});
