import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpChainReader } from './http-chain-reader.js';

const anything = { path: ['proto', 'token', 'params'], answer: z.unknown() };
/** Content of the chain in this suite, by path. */
const replies: Readonly<Record<string, unknown>> = {
  '/proto/entity/did%3Aixo%3Aentity%3Ae0001': { entity: { id: 'did:ixo:entity:e0001', type: 'oracle' } },
  '/proto/entity/a%2Fb': { entity: { id: 'a/b', type: 'dao' } },
};

const answer = z.object({ entity: z.object({ type: z.string() }) }).transform(({ entity }) => entity.type);

describe('a chain reader over HTTP', () => {
  let server: Server;
  let reader: HttpChainReader;
  let handle: RequestListener;

  beforeEach(async () => {
    handle = (request, response) => {
      const reply = replies[request.url ?? ''];
      response.statusCode = reply === undefined ? 404 : 200;
      response.end(JSON.stringify(reply ?? { code: 5, message: 'entity not found', details: [] }));
    };
    server = createServer((request, response) => handle(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    reader = new HttpChainReader({ url, apiKey: 'a-key-of-this-service', limitMs: 300, limitBytes: 1000 });
  });
  afterEach(async () => {
    await reader.close();
    server.closeAllConnections();
    server.close();
  });

  const typeOf = (...path: string[]) => reader.read({ path: ['proto', 'entity', ...path], answer });

  it('returns the requested fields, and no others of the reply', async () => {
    expect(await typeOf('did:ixo:entity:e0001')).toBe('oracle');
  });

  it('returns undefined for a missing entry', async () => {
    expect(await typeOf('did:ixo:entity:nope')).toBeUndefined();
  });

  it('keeps typed text one segment', async () => {
    expect(await typeOf('a/b')).toBe('dao');
    for (const typed of ['', '.', '..', 'a', '\ud800']) expect(await typeOf(typed)).toBeUndefined();
  });

  it('refuses an answer of another shape', async () => {
    const question = { path: ['proto', 'entity', 'a/b'], answer: z.object({ claim: z.string() }) };
    await expect(reader.read(question)).rejects.toMatchObject({ code: 'internal' });
  });

  const answersWith = (status: number, body: string) => {
    handle = (_request, response) => response.writeHead(status).end(body);
  };
  const fails = (code: string) => expect(reader.read(anything)).rejects.toMatchObject({ code });

  it('sends its API key and its timeout to the gateway', async () => {
    let told: unknown;
    handle = (request, response) => {
      told = request.headers;
      response.end('{}');
    };
    await reader.read(anything);
    expect(told).toMatchObject({ 'grpc-timeout': '300m', 'x-api-key': 'a-key-of-this-service' });
  });

  it('does not read an unknown path of the gateway as a missing entry of the chain', async () => {
    answersWith(404, '{"code":5,"message":"No route for this path. This gateway serves /proto.","details":[]}');
    await fails('unavailable');
  });

  it.each([400, 429, 500, 501, 503, 504])('is unavailable when the gateway answers %i', async (status) => {
    answersWith(status, '{"code":14,"message":"The chain node is not available","details":[]}');
    await fails('unavailable');
  });

  it('follows no redirect, and reads only JSON', async () => {
    answersWith(302, '');
    await fails('unavailable');
    answersWith(404, '<html>');
    await fails('unavailable');
    answersWith(200, '<html>');
    await expect(reader.read({ ...anything, answer: z.object({}) })).rejects.toMatchObject({ code: 'internal' });
  });

  it('applies its time limit to the first and to the last byte', async () => {
    handle = () => {};
    await fails('unavailable');
    handle = (_request, response) => response.writeHead(200).write('{"a":');
    await fails('unavailable');
  });

  it('reads no more than its limit', async () => {
    answersWith(200, JSON.stringify({ a: 'x'.repeat(2000) }));
    await fails('unavailable');
  });

  it('is unavailable if the connection is refused, and names the address and the setting', async () => {
    server.close();
    server.closeAllConnections();
    const address =
      /^The query gateway at http:\/\/127\.0\.0\.1:\d+ cannot be reached \(\w+\): start it, or set PROTO_GATEWAY_URL/;
    await expect(reader.read(anything)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(address),
    });
  });
});
