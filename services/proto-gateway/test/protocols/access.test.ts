import { createHash } from 'node:crypto';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { builtInRegistry } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { apiKeyGate, parseApiKeys } from '../../src/access/api-keys.js';
import { buildRouteTable, type TxKind } from '../../src/catalog/routes.js';
import { metadataAsHeaders } from '../../src/protocols/metadata.js';
import { gatewayOnNode } from '../support/gateway-on-node.js';
import * as raw from '../support/protocol-request.js';
import { NO_MESSAGE, PARAMS } from '../support/protocol-request.js';

const { app, node, withApp } = gatewayOnNode();

const grpcWeb = (payload: string | Buffer, headers: Record<string, string> = {}, url = PARAMS, to = app()) =>
  raw.grpcWeb(payload, headers, url, to);
const connect = (payload: string | Buffer, headers: Record<string, string> = {}, url = PARAMS, to = app()) =>
  raw.connect(payload, headers, url, to);

describe('limits and gates', () => {
  const perMinute = (max: number) => ({ max, windowMs: 60_000, store: memoryRateLimitStore() });

  it('refuse in the protocol of the request', async () => {
    await withApp({ rateLimit: perMinute(2) }, async (limited) => {
      expect(await connect('{}', {}, PARAMS, limited)).toMatchObject({ status: 200 });
      expect(await grpcWeb(NO_MESSAGE, {}, PARAMS, limited)).toMatchObject({ status: 200, code: 0 });
      const refused = await connect('{}', {}, PARAMS, limited);
      expect(refused).toMatchObject({ status: 429, code: 'resource_exhausted' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(await grpcWeb(NO_MESSAGE, {}, PARAMS, limited)).toMatchObject({ status: 200, code: 8 });
    });
  });

  it('count two users separately, and do not share replies to their own metadata', async () => {
    const hash = (key: string) => createHash('sha256').update(key).digest('hex');
    const parsed = parseApiKeys(`one:${hash('first-key')},two:${hash('second-key')}`);
    const gate = apiKeyGate(() => ('keys' in parsed ? parsed.keys : []), Date.now);
    await withApp({ access: { kind: 'api-key', gate }, rateLimit: perMinute(2) }, async (gated) => {
      expect(await connect('{}', {}, PARAMS, gated)).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect(await grpcWeb(NO_MESSAGE, { 'x-api-key': 'wrong' }, PARAMS, gated)).toMatchObject({
        status: 200,
        code: 7,
      });
      const send = (key: string) => {
        const headers = { 'x-api-key': key, 'x-mock-echo-who': key };
        return connect('{}', headers, PARAMS, gated);
      };
      const [one, two] = await Promise.all([send('first-key'), send('second-key')]);
      expect([one.headers['x-mock-echo-who'], two.headers['x-mock-echo-who']]).toEqual(['first-key', 'second-key']);
      await send('first-key');
      expect((await send('first-key')).status).toBe(429);
      expect((await send('second-key')).status).toBe(200);
    });
  });
});

describe('pages of other origins', () => {
  const origin = 'https://app.example';

  it('may send requests and read metadata if approved, preflight included', async () => {
    await withApp({ corsOrigins: [origin] }, async (open) => {
      const names = 'content-type,x-grpc-web,connect-protocol-version,x-user-agent,grpc-timeout,x-mine';
      const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': names };
      const allowed = await open.inject({ method: 'OPTIONS', url: PARAMS, headers: preflight });
      expect(allowed.statusCode).toBe(204);
      expect(allowed.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': names,
        'access-control-allow-methods': expect.stringContaining('POST'),
      });
      const { headers } = await connect('{}', { origin, 'x-mock-echo-mine': 'a' }, PARAMS, open);
      const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['x-cosmos-block-height', 'x-mock-echo-mine', 'grpc-encoding']));
    });
  });

  it('get no such headers otherwise', async () => {
    const { headers } = await connect('{}', { origin });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('metadata of a node', () => {
  it('never overrides headers of the gateway', async () => {
    const written = [
      'set-cookie',
      'access-control-allow-origin',
      'content-encoding',
      'location',
      'cache-control',
      'x-mine',
    ];
    expect([...metadataAsHeaders(written.map((name) => [name, 'x'])).keys()]).toEqual(['x-mine']);
  });
});

describe('equal queries', () => {
  it('are one call to the node, across protocols', async () => {
    await withApp({ cache: { ttlMs: 60_000, limitBytes: 1024 * 1024 } }, async (keeping) => {
      const before = node().callsOf(PARAMS);
      await keeping.inject('/proto/token/params');
      const browser = { origin: 'https://a.example', 'x-user-agent': 'grpc-web-javascript/0.1', 'x-grpc-web': '1' };
      expect(await connect('{}', { 'connect-protocol-version': '1' }, PARAMS, keeping)).toMatchObject({ status: 200 });
      expect(await grpcWeb(NO_MESSAGE, browser, PARAMS, keeping)).toMatchObject({ code: 0 });
      expect(node().callsOf(PARAMS)).toBe(before + 1);
    });
  });
});

describe('transactions', () => {
  const rpc = '/cosmos.tx.v1beta1.Service/BroadcastTx';
  const payload = JSON.stringify({ txBytes: 'CgISABIA', mode: 'BROADCAST_MODE_SYNC' });
  const withTx = (allowTx: readonly TxKind[], use: (app: HttpApp) => Promise<void>) => {
    const table = buildRouteTable(builtInRegistry(), { prefixes: { current: 'proto', legacy: [] }, allowTx });
    return withApp({ table, cache: { ttlMs: 60_000, limitBytes: 1024 * 1024 } }, use);
  };

  it('are refused with the reason unless allowed', () =>
    withTx([], async (closed) => {
      const message = expect.stringContaining('does not broadcast transactions (PROTO_ALLOW_TX)');
      expect(await connect(payload, {}, rpc, closed)).toMatchObject({ status: 501, code: 'unimplemented', message });
      expect(await grpcWeb(NO_MESSAGE, {}, rpc, closed)).toMatchObject({ code: 12, message });
    }));

  it('are separate calls each time, and not available by GET', () =>
    withTx(['broadcast'], async (open) => {
      const before = node().callsOf(rpc);
      const sent = await Promise.all([1, 2, 3].map(() => connect(payload, {}, rpc, open)));
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(node().callsOf(rpc)).toBe(before + 3);
      const get = await open.inject(`${rpc}?connect=v1&encoding=json&message=${encodeURIComponent(payload)}`);
      expect([get.statusCode, get.json().code]).toEqual([501, 'unimplemented']);
      expect(node().callsOf(rpc)).toBe(before + 3);
    }));
});

describe('metrics', () => {
  it('count calls in all protocols by rpc and code', async () => {
    await connect('{}', {}, '/ixo.iid.v1beta1.Query/IidDocuments');
    const text = (await app().inject('/metrics')).body;
    expect(text).toMatch(/proto_gateway_answers_total\{rpc="ixo.iid.v1beta1.Query\/IidDocuments",code="0"[^}]*\} 1/);
  });
});
