import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { echoService, openTestApp, sendRequest } from './app.fixture.js';

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const echo = ({ body }: { body: string }): Echo => JSON.parse(body) as Echo;

let service: Awaited<ReturnType<typeof echoService>>;
let app: HttpApp;

beforeAll(async () => {
  service = await echoService();
  app = await openTestApp(service.url);
});
afterAll(async () => {
  await app?.close();
  await service?.close();
});

describe('the page', () => {
  it('may load only files of this server, and run no inline script', async () => {
    const reply = await sendRequest(app, '/');
    expect(reply.statusCode).toBe(200);
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https:|\*/);
  });

  it('is revalidated each time; files with a content hash are immutable', async () => {
    expect((await sendRequest(app, '/')).headers['cache-control']).toBe('no-cache');
    const asset = await sendRequest(app, '/assets/index-abc123.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['set-cookie']).toBeUndefined();
    // Not a page, so it has no page headers.
    expect(asset.headers['x-content-type-options']).toBe('nosniff');
    expect(asset.headers['content-security-policy']).toBeUndefined();
  });

  it('assigns a browser one connection cookie', async () => {
    const cookie = String((await sendRequest(app, '/')).headers['set-cookie']);
    expect(cookie).toMatch(/^line=[0-9a-f-]{36}; Path=\/; HttpOnly; SameSite=Strict$/);
    const again = await sendRequest(app, { url: '/', headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it.each(['/assets/../../package.json', '/assets/%2e%2e/%2e%2e/package.json', '/none.js', '/.env'])(
    'has no file at %s',
    async (url) => {
      expect((await sendRequest(app, url)).statusCode).toBe(404);
    },
  );
});

describe('the services', () => {
  it('are reported as available while their service answers', async () => {
    expect(JSON.parse((await sendRequest(app, '/doors.json')).body)).toEqual({ phone: true, chat: true, chain: true });
    const nowhere = await openTestApp('http://127.0.0.1:1');
    expect(JSON.parse((await sendRequest(nowhere, '/doors.json')).body)).toEqual({
      phone: false,
      chat: false,
      chain: false,
    });
    await nowhere.close();
  });

  it.each([
    ['POST', '/ussd/api/ussd', '/api/ussd'],
    ['POST', '/ussd/simulator/expire', '/simulator/expire'],
    ['GET', '/ussd/api/ussd/link', '/api/ussd/link'],
    ['POST', '/ussd/api/ussd/link', '/api/ussd/link'],
    ['POST', '/ussd/api/ussd/link/codes', '/api/ussd/link/codes'],
    [
      'GET',
      '/ussd/simulator/screens/preMenu?flow=default&version=2',
      '/simulator/screens/preMenu?flow=default&version=2',
    ],
    ['POST', '/oracle/sessions', '/sessions'],
    ['DELETE', '/oracle/sessions/abc', '/sessions/abc'],
    ['GET', '/oracle/runs/r-1?after=7', '/runs/r-1?after=7'],
    ['GET', '/oracle/credits', '/credits'],
    ['PATCH', '/oracle/sessions/abc', '/sessions/abc'],
    ['PUT', '/oracle/sessions/abc/branch', '/sessions/abc/branch'],
    ['PUT', '/oracle/user-preferences', '/user-preferences'],
    ['POST', '/oracle/attachments?sessionId=s&filename=a', '/attachments?sessionId=s&filename=a'],
    ['POST', '/oracle/api-keys', '/api-keys'],
    ['GET', '/oracle/account/export', '/account/export'],
    ['GET', '/chain/openapi.json', '/openapi.json'],
    ['GET', '/chain/proto/entity/did:ixo:entity:e0001', '/proto/entity/did:ixo:entity:e0001'],
    ['GET', '/chain/proto/x/ibc%2F27?pagination.limit=5', '/proto/x/ibc%2F27?pagination.limit=5'],
  ] as const)('%s %s is forwarded to %s', async (method, url, there) => {
    const reply = await sendRequest(app, { method, url });
    expect(reply.statusCode).toBe(200);
    expect(echo(reply)).toMatchObject({ method, url: there });
  });

  it.each([
    ['GET', '/oracle/metrics'],
    ['GET', '/oracle/%6detrics'],
    ['GET', '/oracle/health/ready'],
    ['POST', '/oracle/credits/top-ups'],
    ['POST', '/oracle/slack/events'],
    ['GET', '/oracle/sessions/../metrics'],
    ['GET', '/oracle/%E0%A4'],
    ['GET', '/chain/metrics'],
    ['GET', '/chain//metrics'],
    ['GET', '/chain/docs'],
    ['GET', '/chain/docs/json'],
    ['GET', '/chain/usage'],
    ['POST', '/chain/revocations'],
    ['POST', '/ussd/api/ussd/hubtel'],
    ['GET', '/ussd/api/ussd/sessions'],
    ['GET', '/ussd/api/ussd'],
    ['GET', '/ussd/api/ussd/link/codes'],
    ['POST', '/ussd/api/ussd/link/other'],
    ['GET', '/ussd/simulator'],
    ['GET', '/ussd/simulator/expire'],
    ['POST', '/ussd/simulator/settings'],
    ['GET', '/ussd/simulator/screens/a/b'],
    ['GET', '/ussd/api/ussd/analytics/map'],
  ] as const)('%s %s is not forwarded', async (method, url) => {
    const reply = await sendRequest(app, { method, url });
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect(reply.body).not.toContain('"url"');
  });

  it('drop cookies and origin, and forward the client address', async () => {
    const headers = {
      cookie: 'line=1',
      origin: 'http://page',
      referer: 'http://page/',
      'x-forwarded-for': '203.0.113.9',
    };
    const { headers: seen } = echo(await sendRequest(app, { url: '/oracle/models', headers }));
    expect(seen).not.toHaveProperty('cookie');
    expect(seen).not.toHaveProperty('origin');
    expect(seen).not.toHaveProperty('referer');
    expect(seen['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('are authorised by their own keys, which no caller can choose', async () => {
    const forged = { 'x-aggregator-secret': 'forged', 'x-api-key': 'forged' };
    const hop = await sendRequest(app, { method: 'POST', url: '/ussd/api/ussd', headers: forged });
    expect(echo(hop).headers).toMatchObject({ 'x-aggregator-secret': 'a secret of the gateway' });
    expect(echo(hop).headers).not.toHaveProperty('x-api-key');
    const query = await sendRequest(app, { url: '/chain/proto/token/params', headers: forged });
    expect(echo(query).headers).toMatchObject({ 'x-api-key': 'a key of the gateway' });
  });

  it('refuse pages of other sites: no keys of the phone, no linking, no network cut', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' };
    for (const url of ['/ussd/api/ussd', '/ussd/simulator/language', '/ussd/api/ussd/link/codes', '/line/cut']) {
      const reply = await sendRequest(app, { method: 'POST', url, headers, payload: '{"forMs":1000}' });
      expect(reply.statusCode).toBe(403);
    }
  });

  it('forward a body unchanged', async () => {
    const payload = '{"text":"1*2",  "x":"é"}';
    const headers = { 'content-type': 'application/json' };
    const reply = await sendRequest(app, { method: 'POST', url: '/ussd/api/ussd', headers, payload });
    expect(echo(reply).body).toBe(payload);
  });

  it('have no phone if the handset is off', async () => {
    const settings = { handset: false, topUps: false, serviceCode: '*384#', oracleDid: 'did:x' };
    const shut = await openTestApp(service.url, { settings });
    expect((await sendRequest(shut, { method: 'POST', url: '/ussd/api/ussd' })).statusCode).toBe(404);
    expect((await sendRequest(shut, { method: 'POST', url: '/ussd/simulator/expire' })).statusCode).toBe(404);
    expect((await sendRequest(shut, { method: 'POST', url: '/ussd/api/ussd/link' })).statusCode).toBe(200);
    expect(JSON.parse((await sendRequest(shut, '/settings.json')).body)).toEqual(settings);
    await shut.close();
  });

  it('let the page top up balances if enabled, and no page of another site', async () => {
    const settings = { handset: true, topUps: true, serviceCode: '*384#', oracleDid: 'did:x' };
    const open = await openTestApp(service.url, { settings });
    const requested = { method: 'POST', url: '/oracle/credits/top-ups' };
    expect(echo(await sendRequest(open, requested))).toMatchObject({ method: 'POST', url: '/credits/top-ups' });
    expect((await sendRequest(open, { ...requested, headers: { 'sec-fetch-site': 'cross-site' } })).statusCode).toBe(
      403,
    );
    expect((await sendRequest(open, { ...requested, url: '/oracle/credits/claims/process' })).statusCode).toBe(404);
    await open.close();
  });

  it('answer 503 without a service', async () => {
    const nobody = await openTestApp('http://127.0.0.1:1');
    const reply = await sendRequest(nobody, '/chain/proto/token/params');
    expect(reply.statusCode).toBe(503);
    expect(JSON.parse(reply.body)).toMatchObject({ statusCode: 503 });
    await nobody.close();
  });
});
