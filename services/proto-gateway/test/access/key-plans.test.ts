import { createHash } from 'node:crypto';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { apiKeyGate } from '../../src/access/api-keys.js';
import { readKeyFile } from '../../src/access/key-file.js';
import { expectError, gatewayOnNode } from '../support/gateway-on-node.js';
import { connect, grpcWeb, NO_MESSAGE, PARAMS } from '../support/protocol-request.js';

const { withApp } = gatewayOnNode();

/** A gateway with a plan for each key; a key equals its name. */
function withPlans(plans: Readonly<Record<string, object>>, use: (app: HttpApp) => Promise<void>, nowMs = Date.now) {
  const keys = Object.entries(plans).map(([name, plan]) => {
    return { name, sha256: createHash('sha256').update(name).digest('hex'), ...plan };
  });
  const read = readKeyFile(JSON.stringify({ keys }));
  if ('problem' in read) throw new Error(read.problem);
  const gate = apiKeyGate(() => read.keys, nowMs);
  const rateLimit = { max: 100, windowMs: 60_000, store: memoryRateLimitStore() };
  return withApp({ access: { kind: 'api-key', gate }, rateLimit, cache: { ttlMs: 60_000, limitBytes: 1e6 } }, use);
}

const send = (app: HttpApp, key: string, url = '/proto/token/params') =>
  app.inject({ url, headers: { 'x-api-key': key } });
const usageOf = async (app: HttpApp, key: string) => (await send(app, key, '/usage')).json();

describe('a key with a plan', () => {
  it('has the methods of its plan in routes, batches and all protocols', () =>
    withPlans({ tokens: { methods: ['ixo.token.v1beta1.Query'] }, all: {} }, async (app) => {
      const entity = '/proto/entity/did:ixo:entity:e0001';
      expect((await send(app, 'all', entity)).statusCode).toBe(200);
      expect((await send(app, 'tokens')).statusCode).toBe(200);
      const message = 'ixo.entity.v1beta1.Query/Entity is not in the plan of this key';
      // The answer is cached for other keys, but not allowed for this one.
      expect(expectError(await send(app, 'tokens', entity), 403, 7)).toBe(message);
      const headers = { 'x-api-key': 'tokens' };
      const batch = await app.inject({ method: 'POST', url: '/proto/batch', headers, payload: { paths: [entity] } });
      expect(batch.json().replies[0]).toMatchObject({ status: 403, body: { code: 7, message } });
      const rpc = '/ixo.entity.v1beta1.Query/Entity';
      expect(await connect('{}', headers, rpc, app)).toMatchObject({ status: 403, code: 'permission_denied', message });
      expect(await grpcWeb(NO_MESSAGE, headers, rpc, app)).toMatchObject({ status: 200, code: 7, message });
      expect(await connect('{}', headers, PARAMS, app)).toMatchObject({ status: 200 });
    }));

  it('gets pages within the limit of its plan', () =>
    withPlans({ small: { pageLimit: 3 }, all: {} }, async (app) => {
      const claims = '/proto/claims/claims?pagination.limit=50';
      const sizes = [];
      for (const key of ['all', 'small', 'all']) sizes.push((await send(app, key, claims)).json().claims.length);
      expect(sizes).toEqual([50, 3, 50]);
      expect((await send(app, 'small', '/proto/claims/claims')).json().claims).toHaveLength(3);
      const headers = { 'x-api-key': 'small', 'content-type': 'application/json' };
      const url = '/ixo.claims.v1beta1.Query/ClaimList';
      const reply = await app.inject({ method: 'POST', url, headers, payload: '{"pagination":{"limit":"50"}}' });
      expect(reply.json().claims).toHaveLength(3);
    }));

  it.each([
    ['latest', [200, 403, 403]],
    ['100-', [200, 403, 200]],
    ['1-99', [403, 200, 403]],
  ])('reads the heights %s', (heights, statuses) =>
    withPlans({ reader: { heights } }, async (app) => {
      const url = '/proto/token/params';
      const seen = [];
      for (const query of ['', '?height=50', '?height=15000000']) {
        const { statusCode, headers } = await send(app, 'reader', `${url}${query}`);
        // A pruned block is an error of the node, not a refusal by the plan.
        seen.push(statusCode === 403 ? 403 : 200);
        expect(headers['content-type']).toContain('json');
      }
      expect(seen).toEqual(statuses);
      const written = await connect('{}', { 'x-api-key': 'reader', 'x-cosmos-block-height': '50' }, PARAMS, app);
      expect(written.status === 403).toBe(statuses[1] === 403);
    }),
  );

  it('with the latest block only gets a whole batch at the height of its first answer', () =>
    withPlans({ reader: { heights: 'latest' }, past: { heights: '1-99' } }, async (app) => {
      const batch = async (key: string, payload: object) =>
        (await app.inject({ method: 'POST', url: '/proto/batch', headers: { 'x-api-key': key }, payload })).json();
      const paths = Array<string>(20).fill('/proto/token/params');
      const statuses = async (key: string, payload: object) =>
        new Set((await batch(key, payload)).replies.map(({ status }: { status: number }) => status));
      expect(await statuses('reader', { paths })).toEqual(new Set([200]));
      expect(await statuses('reader', { paths, height: '50' })).toEqual(new Set([403]));
      expect(await statuses('past', { paths })).toEqual(new Set([403]));
      expect(await statuses('past', { paths, height: '50' })).toEqual(new Set([200]));
    }));

  it('is admitted until it expires', async () => {
    let now = Date.UTC(2026, 11, 31);
    const plans = { tenant: { expires: '2027-01-01T00:00:00Z' } };
    await withPlans(
      plans,
      async (app) => {
        expect((await send(app, 'tenant')).statusCode).toBe(200);
        now = Date.UTC(2027, 0, 1);
        expect(expectError(await send(app, 'tenant'), 403, 7)).toBe('This API key has expired');
      },
      () => now,
    );
  });

  it('has the requests of its plan, and another key the default', () =>
    withPlans({ slow: { requestsPerMinute: 2 }, all: {} }, async (app) => {
      expect(await usageOf(app, 'slow')).toMatchObject({ key: 'slow', requests: { used: 1, limit: 2 } });
      expect((await send(app, 'slow')).statusCode).toBe(200);
      expectError(await send(app, 'slow'), 429, 8);
      expect(await usageOf(app, 'all')).toEqual({
        key: 'all',
        requests: { used: 1, limit: 100, reset_seconds: 60 },
        bytes: { used: 0, limit: null, reset_seconds: 0 },
        page_limit: null,
        methods: null,
        heights: null,
        expires: null,
      });
      const metrics = (await send(app, 'all', '/metrics')).body;
      expect(metrics).toMatch(/proto_gateway_key_requests_total\{key="slow"[^}]*\} 2/);
    }));

  it('reads as many bytes a minute as its plan has, and the reply that passes the limit is the last', () =>
    withPlans({ thrifty: { bytesPerMinute: 20_000 }, all: {} }, async (app) => {
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      const get = async (path: string, key = 'thrifty') => {
        const reply = await fetch(`${url}${path}`, { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } });
        await reply.arrayBuffer();
        return reply;
      };
      expect((await get('/proto/claims/claims')).status).toBe(200);
      const refused = await get('/proto/token/params');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await get('/proto/token/params', 'all')).status).toBe(200);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(Number(/key_reply_bytes_total\{key="thrifty"[^}]*\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(20_000);
      app.server.closeAllConnections();
    }));
});

describe('GET /usage', () => {
  it('requires a key', async () => {
    await withPlans({ all: {} }, async (app) => {
      expectError(await app.inject('/usage'), 401, 16);
      expectError(await send(app, 'nobody', '/usage'), 403, 7);
    });
    await withApp({}, async (open) => expectError(await open.inject('/usage'), 404, 5));
  });
});
