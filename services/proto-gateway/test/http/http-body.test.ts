import { fromBinary, toJson } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { NodeFailure } from '@mlango/grpc-channel';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { messageOf, picturesRegistry } from '@mlango/test-services/descriptors';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainNode, NodeCall } from '../../src/nodes/chain-node.js';
import { testApp } from '../support/test-app.js';

const registry = picturesRegistry();
const picture = messageOf(registry, 'pictures.v1.Picture');
const BYTES = Uint8Array.of(0, 255, 10, 123);

const httpBody = (contentType: string, data: Uint8Array) =>
  new BinaryWriter().tag(1, 2).string(contentType).tag(2, 2).bytes(data).finish();

let last: NodeCall | undefined;
let contentType = 'image/png';
let isCut = false;
const node: ChainNode = {
  async call(call) {
    last = call;
    const message = call.path.endsWith('/Get') ? httpBody(contentType, BYTES) : call.request;
    return { message, headers: [['x-cosmos-block-height', '5']], trailers: [] };
  },
  stream: () => ({
    headers: Promise.resolve([]),
    messages: (async function* () {
      yield httpBody('video/mp4', BYTES);
      if (isCut) throw new NodeFailure(GRPC_CODES.unavailable, 'gone', { fromTransport: true });
      yield httpBody('text/plain', BYTES);
      return [];
    })(),
  }),
  close() {},
};

let app: HttpApp;
beforeAll(async () => {
  app = await testApp(node, { registry });
});
afterAll(() => app.close());

describe('a google.api.HttpBody', () => {
  it('is the raw reply with its content type, in any form', async () => {
    const reply = await app.inject({ url: '/pictures/v1/a?pretty=1', headers: { 'accept-encoding': 'gzip' } });
    expect(reply.statusCode).toBe(200);
    expect(reply.rawPayload).toEqual(Buffer.from(BYTES));
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'x-cosmos-block-height': '5',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
    expect(reply.headers['content-encoding']).toBeUndefined();
  });

  it.each(['', 'text/html\r\nx: y', 'no type', 'a/b; c=é'])(
    'with the type %j is sent as application/octet-stream',
    async (type) => {
      contentType = type;
      expect((await app.inject('/pictures/v1/a')).headers['content-type']).toBe('application/octet-stream');
      contentType = 'image/png';
    },
  );

  it('is the unchanged body as a field of the request, and one field as the reply', async () => {
    const headers = { 'content-type': 'image/gif' };
    const reply = await app.inject({ method: 'PUT', url: '/pictures/v1/a%20b', headers, payload: Buffer.from(BYTES) });
    const requested = toJson(picture, fromBinary(picture, last?.request ?? new Uint8Array()), { registry });
    expect(requested).toEqual({
      name: 'a b',
      body: { contentType: 'image/gif', data: Buffer.from(BYTES).toString('base64') },
    });
    expect([reply.headers['content-type'], reply.rawPayload]).toEqual(['image/gif', Buffer.from(BYTES)]);
  });

  it('is the whole message, also where the body looks like JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'POST', url: '/pictures/v1:turn', headers, payload: '{"data":"AA=="}' });
    expect(last?.request).toEqual(httpBody('application/json', Buffer.from('{"data":"AA=="}')));
    expect([reply.headers['content-type'], reply.body]).toEqual(['application/json', '{"data":"AA=="}']);
  });

  it('in a stream follows the one before it, under the type of the first', async () => {
    const reply = await app.inject('/pictures/v1/a/film');
    expect(reply.headers['content-type']).toBe('video/mp4');
    expect(reply.rawPayload).toEqual(Buffer.from([...BYTES, ...BYTES]));
  });

  it('in a broken stream is cut, and does not end like a complete one', async () => {
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const film = async () => {
      const reply = await fetch(`${url}/pictures/v1/a/film`);
      const got: number[] = [];
      const end = await (async () => {
        for await (const chunk of reply.body ?? []) got.push(...chunk);
      })().then(
        () => 'whole',
        () => 'cut',
      );
      return [reply.status, got, end];
    };
    isCut = true;
    expect(await film()).toEqual([200, [...BYTES], 'cut']);
    isCut = false;
    expect(await film()).toEqual([200, [...BYTES, ...BYTES], 'whole']);
  });

  it('is refused in a batch', async () => {
    const reply = await app.inject({ method: 'POST', url: '/proto/batch', payload: { paths: ['/pictures/v1/a'] } });
    expect(reply.json()).toMatchObject({
      replies: [{ status: 501, body: { message: 'Only JSON is served in a batch' } }],
    });
  });
});
