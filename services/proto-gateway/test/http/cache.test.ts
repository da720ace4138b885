import type { HttpApp } from '@mlango/service-kit/http-app';
import { describe, expect, it } from 'vitest';
import type { ChainNode } from '../../src/nodes/chain-node.js';
import { type TestAppOptions, testApp } from '../support/test-app.js';

const HEIGHT = 'x-cosmos-block-height';
const cache = { ttlMs: 6000, limitBytes: 1_000_000 };
const PARAMS = '/proto/token/params';

/** A node with params that change with every call, except at a requested height. */
function changingNode(): { node: ChainNode; calls: () => number } {
  let calls = 0;
  const node: ChainNode = {
    async call(call) {
      calls += 1;
      const height = call.metadata.find(([name]) => name === HEIGHT)?.[1];
      const value = height === undefined ? calls : 77;
      return { message: Uint8Array.of(0x0a, 2, 8, value), headers: [[HEIGHT, height ?? '900']], trailers: [] };
    },
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
  return { node, calls: () => calls };
}

async function withApp(
  options: TestAppOptions,
  use: (app: HttpApp, calls: () => number) => Promise<void>,
): Promise<void> {
  const { node, calls } = changingNode();
  const app = await testApp(node, options);
  try {
    await use(app, calls);
  } finally {
    await app.close();
  }
}

describe('cached replies', () => {
  it('are reused without a call, in any form', () =>
    withApp({ cache }, async (app, calls) => {
      await app.inject(PARAMS);
      const repeated = await app.inject(`${PARAMS}?json=camel`);
      expect(repeated.json()).toEqual({ params: { ixo1155ContractCode: '1' } });
      expect(calls()).toBe(1);
    }));

  it('have an ETag and a lifetime: short at the latest height, unlimited at a past one', () =>
    withApp({ cache }, async (app) => {
      const latest = await app.inject(PARAMS);
      expect(latest.headers).toMatchObject({
        'cache-control': 'public, max-age=6',
        vary: `${HEIGHT}, x-min-block-height`,
      });
      expect(latest.headers.etag).toMatch(/^W\/"[\w-]{22}"$/);
      const pinned = await app.inject(`${PARAMS}?height=5`);
      expect(pinned.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', [HEIGHT]: '5' });
      expect(pinned.headers.etag).not.toBe(latest.headers.etag);
    }));

  it('are not used for a request with a forwarded header', () =>
    withApp({ cache, permanentHeaders: new Set(['accept-language']) }, async (app, calls) => {
      await app.inject({ url: PARAMS, headers: { 'user-agent': 'a' } });
      await app.inject({ url: PARAMS, headers: { 'user-agent': 'b' } });
      expect(calls()).toBe(1);
      for (const language of ['sw', 'sw', 'en']) {
        const reply = await app.inject({ url: PARAMS, headers: { 'accept-language': language } });
        expect(reply.headers).not.toHaveProperty('etag');
      }
      expect(calls()).toBe(4);
    }));

  it('are 304 without a body for clients that have them', () =>
    withApp({ cache }, async (app) => {
      const etag = String((await app.inject(`${PARAMS}?height=5`)).headers.etag);
      for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
        const reply = await app.inject({ url: PARAMS, headers: { [HEIGHT]: '5', 'if-none-match': known } });
        expect([reply.statusCode, reply.body, reply.headers.etag]).toEqual([304, '', etag]);
        // It would be the length of the omitted body. Source: RFC 9110, Content-Length.
        expect(reply.headers).not.toHaveProperty('content-length');
      }
      const other = await app.inject({ url: PARAMS, headers: { [HEIGHT]: '5', 'if-none-match': '"other"' } });
      expect(other.statusCode).toBe(200);
    }));

  it('exclude those of requests with credentials', () =>
    withApp({ cache }, async (app, calls) => {
      const headers = { authorization: 'Bearer a' };
      for (let count = 0; count < 2; count += 1) {
        const reply = await app.inject({ url: PARAMS, headers });
        expect(reply.headers).not.toHaveProperty('etag');
        expect(reply.headers).not.toHaveProperty('cache-control');
      }
      expect(calls()).toBe(2);
    }));

  it('vary by origin with approved origins', () =>
    withApp({ cache, corsOrigins: ['https://app.example', 'https://b.example'] }, async (app) => {
      const reply = await app.inject({ url: PARAMS, headers: { origin: 'https://app.example' } });
      expect(reply.headers.vary).toBe(`Origin, ${HEIGHT}, x-min-block-height`);
    }));

  it('are used until their lifetime ends', async () => {
    const clock = { ms: 0 };
    await withApp({ cache, now: () => clock.ms }, async (app, calls) => {
      const first = await app.inject(PARAMS);
      clock.ms = 5999;
      const repeated = await app.inject(PARAMS);
      const { 'x-request-id': _own, date: _at, ...headers } = first.headers;
      expect([repeated.body, repeated.headers, calls()]).toMatchObject([first.body, headers, 1]);
      clock.ms = 6000;
      expect((await app.inject(PARAMS)).json()).toEqual({ params: { ixo1155_contract_code: '2' } });
    });
  });

  it('are disabled by default', () =>
    withApp({}, async (app, calls) => {
      await app.inject(PARAMS);
      const reply = await app.inject(PARAMS);
      expect(reply.json()).toEqual({ params: { ixo1155_contract_code: '2' } });
      expect(reply.headers).not.toHaveProperty('etag');
      expect(calls()).toBe(2);
    }));
});
