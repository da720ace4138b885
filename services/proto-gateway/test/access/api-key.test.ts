import { Writable } from 'node:stream';
import { createLogger } from '@mlango/service-kit/logging';
import { allowance, memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { apiKeyEntry, apiKeyGate, parseApiKeys } from '../../src/access/api-keys.js';
import type { Access } from '../../src/access/gate.js';
import { expectError, gatewayOnNode } from '../support/gateway-on-node.js';

const PARAMS = '/proto/token/params';
const parsed = parseApiKeys(`${apiKeyEntry('wallet', 'wallet-key')},${apiKeyEntry('indexer', 'indexer-key')}`);
const access: Access = { kind: 'api-key', gate: apiKeyGate(() => ('keys' in parsed ? parsed.keys : []), Date.now) };
const { app: gateway, node, withApp } = gatewayOnNode({ access });
const wallet = { 'x-api-key': 'wallet-key' };

describe('a gateway with API keys', () => {
  it('answers requests with a key in either header', async () => {
    const app = gateway();
    for (const headers of [wallet, { authorization: 'Bearer indexer-key' }, { authorization: 'bearer wallet-key' }]) {
      expect((await app.inject({ url: PARAMS, headers })).statusCode).toBe(200);
    }
  });

  it('limits an address over all its keys, batches path by path, before keys are checked', () => {
    const store = memoryRateLimitStore();
    const windowMs = 60_000;
    const perAddress = allowance({ store, name: 'address', max: 6, windowMs });
    return withApp({ access, rateLimit: { max: 5, windowMs, store, perAddress } }, async (app) => {
      const send = async (key: string, remoteAddress = '192.0.2.7') =>
        app.inject({ url: PARAMS, headers: { 'x-api-key': key }, remoteAddress });
      const batch = { method: 'POST', url: '/proto/batch', headers: wallet, remoteAddress: '192.0.2.7' } as const;
      expect((await app.inject({ ...batch, payload: { paths: [PARAMS, PARAMS, PARAMS] } })).statusCode).toBe(200);
      const statuses = [];
      for (const key of ['indexer-key', 'indexer-key', 'wrong']) statuses.push((await send(key)).statusCode);
      expect(statuses).toEqual([200, 200, 403]);
      for (const key of ['indexer-key', 'wrong']) {
        const refused = await send(key);
        expectError(refused, 429, 8);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect((await send('indexer-key', '192.0.2.8')).statusCode).toBe(200);
      expect((await app.inject({ url: '/health', remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
    });
  });

  it.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['an empty one', { 'x-api-key': '' }],
    ['another scheme', { authorization: 'Basic d2FsbGV0LWtleQ==' }],
    ['a bearer of nothing', { authorization: 'Bearer ' }],
  ])('is 401 with a challenge for %s', async (_, headers) => {
    const app = gateway();
    const reply = await app.inject({ url: PARAMS, headers });
    expectError(reply, 401, 16);
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="gateway"');
  });

  it.each<[string, Record<string, string>]>([
    ['a wrong key', { 'x-api-key': 'wallet-kez' }],
    ['a wrong bearer', { authorization: 'Bearer nothing' }],
    ['the hash instead of the key', { 'x-api-key': apiKeyEntry('wallet', 'wallet-key').split(':')[1] ?? '' }],
    ['a wrong key with a right bearer', { 'x-api-key': 'x', authorization: 'Bearer wallet-key' }],
  ])('is 403 for %s', async (_, headers) => {
    const app = gateway();
    const reply = await app.inject({ url: PARAMS, headers });
    expectError(reply, 403, 7);
    expect(reply.headers).not.toHaveProperty('www-authenticate');
  });

  it.each([
    ['GET', PARAMS],
    ['HEAD', PARAMS],
    ['OPTIONS', PARAMS],
    ['DELETE', PARAMS],
    ['GET', '/ixo/token/params'],
    ['GET', '/cosmos/base/node/v1beta1/status'],
    ['GET', '/nowhere'],
    ['GET', '/docs/../proto/token/params'],
    ['GET', '/health/../proto/token/params'],
    ['GET', '//health'],
    ['GET', '/Health'],
    ['GET', '/'],
    ['POST', '/proto/batch'],
  ])('refuses %s %s without a key', async (method, url) => {
    const app = gateway();
    const calls = node().callsOf('/ixo.token.v1beta1.Query/Params');
    const reply = await app.inject({ method: method as 'GET', url, ...(method === 'POST' ? { payload: {} } : {}) });
    expect(reply.statusCode).toBe(401);
    expect(node().callsOf('/ixo.token.v1beta1.Query/Params')).toBe(calls);
  });

  it.each(['/health', '/health/live', '/health/ready', '/openapi.json', '/docs/json', '/docs/', '/metrics'])(
    'leaves %s to everybody',
    async (url) => {
      const app = gateway();
      expect((await app.inject(url)).statusCode).toBe(200);
    },
  );

  it('describes how to present a key', async () => {
    const app = gateway();
    const document = (await app.inject('/openapi.json')).json();
    expect(document.security).toEqual([{ apiKey: [] }, { bearer: [] }]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'bearer']);
  });

  it('counts by key, the paths of a batch too, and those it refuses by address', () => {
    const rateLimit = { max: 3, windowMs: 60_000, store: memoryRateLimitStore() };
    return withApp({ access, rateLimit }, async (app) => {
      const send = async (headers: Record<string, string>) => (await app.inject({ url: PARAMS, headers })).statusCode;
      const batch = { method: 'POST', url: '/proto/batch', headers: wallet } as const;
      expect((await app.inject({ ...batch, payload: { paths: [PARAMS, PARAMS, PARAMS] } })).statusCode).toBe(200);
      expect(await send(wallet)).toBe(429);
      expect(await send({ 'x-api-key': 'indexer-key' })).toBe(200);
      expectError(
        await app.inject({
          ...batch,
          headers: { 'x-api-key': 'indexer-key' },
          payload: { paths: Array(3).fill(PARAMS) },
        }),
        429,
        8,
      );
      for (const status of [403, 403, 403, 429]) expect(await send({ 'x-api-key': 'guess' })).toBe(status);
    });
  });

  it('does not forward the key, so that callers share calls and caches, and HTTP caches do not', () =>
    withApp({ access, cache: { ttlMs: 60_000, limitBytes: 1_000_000 } }, async (app) => {
      const calls = node().callsOf('/ixo.token.v1beta1.Query/Params');
      for (const headers of [wallet, { authorization: 'Bearer indexer-key' }]) {
        const reply = await app.inject({ url: PARAMS, headers });
        expect(reply.headers['cache-control']).toBe('private, max-age=60');
      }
      expect(node().callsOf('/ixo.token.v1beta1.Query/Params')).toBe(calls + 1);
    }));

  it('writes no key to its log', async () => {
    let log = '';
    const destination = new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk);
        done();
      },
    });
    const logger = createLogger({ service: 'test', level: 'trace', destination });
    await withApp({ access, logger }, async (app) => {
      await app.inject({ url: PARAMS, headers: wallet });
      await app.inject({ url: PARAMS, headers: { authorization: 'Bearer some-wrong-key' } });
    });
    expect(log).toContain('access refused');
    expect(log).not.toMatch(/wallet-key|some-wrong-key/);
  });

  it('answers preflights of approved origins, and exposes errors to pages', () =>
    withApp({ access, corsOrigins: ['https://app.example'] }, async (app) => {
      const origin = { origin: 'https://app.example' };
      const asks = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
      const preflight = await app.inject({ method: 'OPTIONS', url: PARAMS, headers: { ...origin, ...asks } });
      expect(preflight.statusCode).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-headers': 'x-api-key',
      });
      const refused = await app.inject({ url: PARAMS, headers: origin });
      expectError(refused, 401, 16);
      expect(refused.headers['access-control-allow-origin']).toBe('https://app.example');
      expect((await app.inject({ url: PARAMS, headers: { ...origin, ...wallet } })).statusCode).toBe(200);
    }));
});
