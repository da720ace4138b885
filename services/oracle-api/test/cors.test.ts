import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApp } from './app.fixture.js';
import { openTestStores, type TestStores } from './stores.fixture.js';

let app: HttpApp;
let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
  ({ app } = await testApp({ stores }));
});
afterAll(() => app.close());

describe('calls from a browser', () => {
  const preflight = (on: HttpApp, origin: string) =>
    on.inject({
      method: 'OPTIONS',
      url: '/messages/x',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-auth-type' },
    });

  it('are allowed from anywhere by default, without credentials', async () => {
    const reply = await preflight(app, 'https://app.example');
    expect(reply.statusCode).toBe(204);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    expect(reply.headers['access-control-allow-headers']).toBe(
      'Content-Type, Authorization, x-ucan-delegation, x-matrix-access-token, x-matrix-homeserver, x-did, x-request-id, x-auth-type, x-timezone',
    );
    expect(reply.headers['access-control-allow-methods']).toBe('GET, POST, PUT, DELETE, PATCH, OPTIONS');
    expect(reply.headers['x-request-id']).toEqual(expect.any(String));
  });

  it('may read the ids of requests and runs, also on errors', async () => {
    for (const url of ['/', '/sessions', '/no/such']) {
      const reply = await app.inject({ url, headers: { origin: 'https://app.example' } });
      expect(reply.headers['access-control-expose-headers']).toBe('X-Request-Id, X-Run-Id, X-Run-Status, Retry-After');
      expect(reply.headers['access-control-allow-origin']).toBe('*');
    }
  });

  it('carry credentials if origins are named, and are allowed from no other', async () => {
    const named = await testApp({ stores, corsOrigins: ['https://app.example', 'https://other.example'] });
    const reply = await preflight(named.app, 'https://app.example');
    expect(reply.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(reply.headers['access-control-allow-credentials']).toBe('true');
    expect((await preflight(named.app, 'https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
    await named.app.close();
  });
});
