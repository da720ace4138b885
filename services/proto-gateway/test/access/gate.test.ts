import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { expectError, gatewayOnNode } from '../support/gateway-on-node.js';

const { node, get, withApp } = gatewayOnNode();

describe('access', () => {
  it('has no CORS headers unless an origin is approved', async () => {
    const origin = { origin: 'https://app.example' };
    expect((await get('/proto/token/params', origin)).headers).not.toHaveProperty('access-control-allow-origin');
    await withApp({ corsOrigins: ['https://app.example'] }, async (open) => {
      const reply = await open.inject({ url: '/proto/token/params', headers: origin });
      expect(reply.headers['access-control-allow-origin']).toBe('https://app.example');
      const preflight = {
        ...origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-cosmos-block-height',
      };
      const allowed = await open.inject({ method: 'OPTIONS', url: '/proto/token/params', headers: preflight });
      expect([allowed.statusCode, allowed.headers['access-control-allow-origin']]).toEqual([
        204,
        'https://app.example',
      ]);
      const other = await open.inject({ url: '/proto/token/params', headers: { origin: 'https://evil.example' } });
      expect(other.headers['access-control-allow-origin']).not.toBe('https://evil.example');
      expect(other.headers['access-control-allow-origin']).not.toBe('*');
    });
  });

  it('answers OPTIONS without naming routes if origins are approved', async () => {
    await withApp({ corsOrigins: ['https://app.example'] }, async (open) => {
      const reply = await open.inject({ method: 'OPTIONS', url: '/proto/token/params' });
      expect([reply.statusCode, reply.body]).toEqual([204, '']);
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    });
  });

  it('is limited by address, and the refusal is 429 in the common shape of errors', async () => {
    const rateLimit = { max: 2, windowMs: 60_000, store: memoryRateLimitStore() };
    await withApp({ rateLimit }, async (limited) => {
      await limited.inject('/proto/token/params');
      await limited.inject('/proto/nowhere');
      const reply = await limited.inject('/proto/token/params');
      expectError(reply, 429, 8);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect((await limited.inject('/health/ready')).statusCode).toBe(200);
    });
  });
});

describe('routes of the service', () => {
  it('include health, live and ready', async () => {
    expect((await get('/health')).json()).toEqual({ status: 'ok' });
    expect((await get('/health/ready')).json()).toMatchObject({
      status: 'ready',
      checks: { node: 'up' },
      facts: { node: { height: expect.stringMatching(/^[0-9]+$/), secondsSinceLastBlock: expect.any(Number) } },
    });
    node().setServing(false);
    try {
      expect((await get('/health/ready')).statusCode).toBe(503);
      expect((await get('/health')).statusCode).toBe(200);
    } finally {
      node().setServing(true);
    }
  });

  it('include an index with prefixes, services, node and height', async () => {
    const index = (await get('/')).json();
    expect(index.prefixes).toEqual({ current: '/proto', legacy: ['/ixo'] });
    expect(index.node).toEqual({ reachable: true, height: expect.stringMatching(/^[0-9]+$/) });
    const token = index.services.find((service: { name: string }) => service.name === 'ixo.token.v1beta1.Query');
    expect(token.methods[0]).toEqual({ rpc: 'Params', method: 'GET', path: '/proto/token/params', disabled: false });
  });

  it('serve the documentation of the mounted routes', async () => {
    const document = (await get('/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(document.paths['/proto/entity/{id}'].get.operationId).toBe('ixo.entity.v1beta1.Query.Entity');
    expect(document.paths['/ixo/entity/{id}'].get.deprecated).toBe(true);
    expect((await get('/docs/json')).json()).toEqual({ ...document, servers: [{ url: '..' }] });
    expect((await get('/docs/')).statusCode).toBe(200);
  });

  it('serve metrics by rpc and code, independent of ids', async () => {
    await get('/proto/entity/did:ixo:entity:nobody');
    const text = (await get('/metrics')).body;
    expect(text).toContain('proto_gateway_answers_total{rpc="ixo.entity.v1beta1.Query/Entity",code="5"');
    expect(text).not.toContain('nobody');
  });
});
