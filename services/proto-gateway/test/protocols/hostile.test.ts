import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gatewayOnNode } from '../support/gateway-on-node.js';
import * as raw from '../support/protocol-request.js';
import { framed, NO_MESSAGE, PARAMS } from '../support/protocol-request.js';

const { app, withApp } = gatewayOnNode();

const ENTITY = '/ixo.entity.v1beta1.Query/Entity';
const LIMIT_BYTES = 1024 * 1024;

const grpcWeb = (payload: string | Buffer, headers: Record<string, string> = {}, url = PARAMS, to = app()) =>
  raw.grpcWeb(payload, headers, url, to);
const connect = (payload: string | Buffer, headers: Record<string, string> = {}, url = PARAMS, to = app()) =>
  raw.connect(payload, headers, url, to);

describe('invalid frames of gRPC-Web', () => {
  it.each([
    ['with nothing in them', Buffer.alloc(0), 12],
    ['cut in their head', Buffer.from([0, 0, 0]), 3],
    ['with a length beyond their content', Buffer.from([0, 0, 0, 0, 9, 1]), 3],
    ['of four GiB', Buffer.from([0, 255, 255, 255, 255]), 3],
    ['of two messages', Buffer.concat([NO_MESSAGE, NO_MESSAGE]), 12],
    ['with more behind the message', Buffer.concat([NO_MESSAGE, Buffer.from('x')]), 12],
    ['with unknown flags', framed(64, Buffer.alloc(0)), 3],
    ['that are trailers', framed(0x80, Buffer.from('grpc-status: 0\r\n')), 3],
    ['compressed without a named encoding', framed(1, gzipSync('')), 3],
  ])('%s are refused in trailers', async (_what, payload, code) => {
    expect(await grpcWeb(payload)).toMatchObject({ status: 200, code });
  });

  it('in text are refused in text', async () => {
    const text = { 'content-type': 'application/grpc-web-text' };
    expect(await grpcWeb('!!!!', text)).toMatchObject({ status: 200, code: 3, message: 'The body is not base64' });
    expect(await grpcWeb('A'.repeat(1_000_000), text)).toMatchObject({ status: 200 });
    expect(await grpcWeb('=A'.repeat(500_000), text)).toMatchObject({
      status: 200,
      code: 3,
      message: 'The body is base64 in too many pieces',
    });
    const pieces = `${Buffer.from([0]).toString('base64')}${Buffer.alloc(4).toString('base64')}`;
    expect(await grpcWeb(pieces, text)).toMatchObject({ status: 200, code: 0 });
  });

  it('in long texts are read in separate turns of the event loop', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const text = 'A'.repeat(1_000_000);
    const readAt = await Promise.all(
      Array.from({ length: 40 }, async () => {
        await grpcWeb(text, { 'content-type': 'application/grpc-web-text' });
        return turns;
      }),
    );
    isDone = true;
    expect(new Set(readAt).size).toBeGreaterThan(10);
  });
});

describe('compressed messages', () => {
  const gzip = { 'grpc-encoding': 'gzip' };

  it('are unpacked', async () => {
    const bytes = Buffer.from([0x0a, 20, ...Buffer.from('did:ixo:entity:e0001')]);
    expect(await grpcWeb(framed(1, gzipSync(bytes)), gzip, ENTITY)).toMatchObject({ code: 0 });
    const json = JSON.stringify({ id: 'did:ixo:entity:e0001' });
    expect(await connect(gzipSync(json), { 'content-encoding': 'gzip' }, ENTITY)).toMatchObject({ status: 200 });
    expect(await connect(brotliCompressSync(json), { 'content-encoding': 'br' }, ENTITY)).toMatchObject({
      status: 200,
    });
  });

  it('that are too large after decompression cost no more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * LIMIT_BYTES));
    expect(bomb.length).toBeLessThan(LIMIT_BYTES / 8);
    expect(await grpcWeb(framed(1, bomb), gzip)).toMatchObject({ status: 200, code: 8 });
    expect(await connect(bomb, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 413,
      code: 'resource_exhausted',
    });
  });

  it('in an unknown encoding are refused with the supported ones', async () => {
    expect(await grpcWeb(framed(1, Buffer.from('no gzip')), gzip)).toMatchObject({ status: 200, code: 3 });
    const unknown = await grpcWeb(framed(1, Buffer.from('x')), { 'grpc-encoding': 'snappy' });
    expect(unknown).toMatchObject({ code: 12, headers: { 'grpc-accept-encoding': 'gzip, br' } });
    expect(await connect('{}', { 'content-encoding': 'snappy' })).toMatchObject({
      status: 501,
      code: 'unimplemented',
      headers: { 'accept-encoding': 'gzip, br' },
    });
  });
});

describe('a request that is too large', () => {
  it('is refused in its protocol before it is parsed', async () => {
    const large = Buffer.alloc(LIMIT_BYTES + 1);
    expect(await connect(large)).toMatchObject({ status: 413, code: 'resource_exhausted' });
    expect(await grpcWeb(large)).toMatchObject({ status: 200, code: 8 });
    const stream = { 'content-type': 'application/connect+proto' };
    const reply = await app().inject({ method: 'POST', url: PARAMS, headers: stream, payload: large });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/connect+proto']);
    expect(reply.rawPayload.readUInt8(0)).toBe(2);
    expect(JSON.parse(reply.rawPayload.subarray(5).toString()).error.code).toBe('resource_exhausted');
  });
});

describe('an unknown media type', () => {
  it.each(['text/xml', 'application/grpc', 'application/json; charset=utf-16', 'multipart/form-data; boundary=x'])(
    '%s is 415 for an rpc',
    async (type) => {
      const written = await connect('{}', { 'content-type': type });
      expect(written).toMatchObject({ status: 415, code: 'invalid_argument' });
      expect(written.headers['accept-post']).toBe('application/proto, application/json');
    },
  );

  it('is 415 for similar names of gRPC-Web', async () => {
    expect(await grpcWeb(NO_MESSAGE, { 'content-type': 'application/grpc-web+thrift' })).toMatchObject({ status: 415 });
  });
});

describe('protocol headers', () => {
  it.each([
    [{ 'connect-timeout-ms': 'soon' }],
    [{ 'connect-timeout-ms': '12345678901' }],
    [{ 'connect-protocol-version': '2' }],
  ])('%j is refused', async (headers) => {
    expect(await connect('{}', headers)).toMatchObject({ status: 400, code: 'invalid_argument' });
  });

  it('is a deadline for the node', async () => {
    const slow = JSON.stringify({ id: 'did:ixo:entity:delay-60000' });
    const written = await connect(slow, { 'connect-timeout-ms': '80' }, ENTITY);
    expect(written).toMatchObject({ status: 504, code: 'deadline_exceeded' });
    expect(await grpcWeb(NO_MESSAGE, { 'grpc-timeout': '80x' })).toMatchObject({ code: 3 });
    expect(await grpcWeb(NO_MESSAGE, { 'grpc-timeout': '80m', 'x-mock-fault': 'delay-60000' })).toMatchObject({
      code: 4,
    });
  });
});

describe('a message that does not fit', () => {
  it('is refused with the field it is about', async () => {
    expect(await connect('{', {}, ENTITY)).toMatchObject({ status: 400, code: 'invalid_argument' });
    expect(await connect('{"id": 7}', {}, ENTITY)).toMatchObject({ status: 400, code: 'invalid_argument' });
    const pages = '/ixo.claims.v1beta1.Query/ClaimList';
    const both = JSON.stringify({ pagination: { key: 'AA==', offset: '3' } });
    expect(await connect(both, {}, pages)).toMatchObject({ status: 400 });
    expect(await grpcWeb(framed(0, Buffer.from([0xff])), {}, pages)).toMatchObject({ code: 3 });
  });
});

describe('an unknown method', () => {
  it('is unimplemented, in the protocol of the request', async () => {
    const name = '/cosmos.bank.v1beta1.Msg/Send';
    expect(await connect('{}', {}, name)).toMatchObject({ status: 501, code: 'unimplemented' });
    expect(await grpcWeb(NO_MESSAGE, {}, name)).toMatchObject({ status: 200, code: 12 });
    expect(await grpcWeb(NO_MESSAGE, {}, '/proto/token/params')).toMatchObject({ status: 200, code: 12 });
    await withApp({ disabled: ['ixo.token.v1beta1.Query/Params'] }, async (other) => {
      const message = 'ixo.token.v1beta1.Query/Params is disabled on this gateway';
      expect(await connect('{}', {}, PARAMS, other)).toMatchObject({ status: 501, message });
      expect(await grpcWeb(NO_MESSAGE, {}, PARAMS, other)).toMatchObject({ code: 12, message });
    });
  });

  it('does not affect routes, probes and pages', async () => {
    expect((await app().inject('/ixo.token.v1beta1.Query/Params')).statusCode).toBe(404);
    const health = { method: 'GET', url: '/health?connect=v1&encoding=json&message=' } as const;
    expect((await app().inject(health)).json()).toEqual({ status: 'ok' });
    const params = '/proto/token/params?encoding=json';
    expect((await app().inject({ url: params, headers: { 'content-type': 'application/grpc-web' } })).statusCode).toBe(
      200,
    );
  });
});
