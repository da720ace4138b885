import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { everythingRegistry } from '@mlango/test-services/descriptors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainNode } from '../../src/nodes/chain-node.js';
import { testApp } from '../support/test-app.js';

/** Answers with the request, which has the type of the reply. */
const node: ChainNode = {
  call: async ({ request }) => ({ message: request, headers: [], trailers: [] }),
  stream: () => {
    throw new Error('no streams here');
  },
  close() {},
};

let app: HttpApp;
beforeAll(async () => {
  app = await testApp(node, { registry: everythingRegistry() });
});
afterAll(() => app.close());

const BODY = JSON.stringify({ names: ['a'] });
const post = (payload: string | Buffer, headers: Record<string, string>, url = '/everything/v1/text') =>
  app.inject({ method: 'POST', url, payload, headers });

describe('a packed body', () => {
  it.each([
    ['gzip', gzipSync(BODY)],
    ['GZIP', gzipSync(BODY)],
    ['x-gzip', gzipSync(BODY)],
    ['br', brotliCompressSync(BODY)],
    ['identity', Buffer.from(BODY)],
  ])('is decompressed: %s', async (encoding, payload) => {
    const reply = await post(payload, { 'content-type': 'application/json', 'content-encoding': encoding });
    expect([reply.statusCode, reply.json().names]).toEqual([200, ['a']]);
  });

  it.each(['deflate', 'zstd', 'gzip, br'])('is 415 in an unsupported encoding: %s', async (encoding) => {
    const reply = await post(deflateSync(BODY), { 'content-type': 'application/json', 'content-encoding': encoding });
    expect([reply.statusCode, reply.headers['accept-encoding']]).toEqual([415, 'gzip, br']);
    expect(reply.json().message).toContain('gzip, br');
  });

  it('is 400 if it is not in the named encoding', async () => {
    const reply = await post(BODY, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect([reply.statusCode, reply.json().code]).toEqual([400, 3]);
  });

  it('is 413 if it is too large after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(2 * 1024 * 1024, ' '));
    const reply = await post(bomb, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect([reply.statusCode, bomb.length < 10_000]).toEqual([413, true]);
  });

  it('is unpacked for a batch, too', async () => {
    const payload = gzipSync(JSON.stringify({ paths: ['/everything/v1/b'] }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const reply = await post(payload, headers, '/proto/batch');
    expect(reply.json().replies).toMatchObject([{ status: 200, body: { string_value: 'b' } }]);
  });
});

describe('a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };

  it('is read as the parameters of a query, if the path has a route for GET', async () => {
    const reply = await post('int32_value=7&names=a+b&names=c', form, '/everything/v1/leaf/5?bool_value=true');
    expect(reply.json()).toMatchObject({
      leaf: { label: 'leaf' },
      int32_value: 7,
      names: ['a b', 'c'],
      bool_value: true,
    });
  });

  it('that does not fit is 400 with its field', async () => {
    const reply = await post('int32_value=x', form, '/everything/v1/leaf/5');
    expect([reply.statusCode, reply.json().message]).toEqual([400, 'int32_value must be a whole number']);
  });

  it('is bounded', async () => {
    const reply = await post(`names=${'a'.repeat(70_000)}`, form, '/everything/v1/leaf/5');
    expect(reply.statusCode).toBe(413);
  });
});

describe('an rpc by its name', () => {
  it.each(['PUT', 'PATCH', 'DELETE'] as const)('is 405 for %s', async (method) => {
    const reply = await app.inject({
      method,
      url: '/everything.v1.Service/Get',
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    });
    expect([reply.statusCode, reply.json().code]).toEqual([405, 12]);
    expect(reply.headers['allow']).toContain('POST');
  });
});
