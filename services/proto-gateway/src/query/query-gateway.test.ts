import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fromBinary, toJson } from '@bufbuild/protobuf';
import { rpcError } from '@mlango/schemas/proto-gateway';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { testApp } from '../../test/support/test-app.js';
import type { ChainNode, NodeCall } from '../nodes/chain-node.js';

const registry = everythingRegistry();
const everything = messageOf(registry, 'everything.v1.Everything');

/** Answers every call with its request, and records it. */
let last: NodeCall | undefined;
let hold: Promise<void> | undefined;
const echo: ChainNode = {
  async call(call) {
    last = call;
    await hold;
    return { message: call.request, headers: [['seen', 'yes']], trailers: [['after', 'all']] };
  },
  stream() {
    throw new Error('unexpected call');
  },
  close() {},
};

let app: HttpApp;
beforeAll(async () => {
  app = await testApp(echo, { registry });
});
afterAll(() => app.close());

/** The test client itself removes dot segments from a path. */
const isNoDotSegment = (text: string) => !/^\.{1,2}$/.test(text);

const lastSignal = () => last?.signal;
const lastRequest = () =>
  last === undefined
    ? undefined
    : toJson(everything, fromBinary(everything, last.request), { registry, useProtoFieldName: true });

describe('a module never seen before', () => {
  it('is served by its descriptors alone: every binding of its method', async () => {
    await app.inject('/everything/v1/files/dir/a%2Fb/c?tree.leaves=1');
    await app.inject('/everything/v1/files/dir/a%2Fb/c?leaf.label=x&by_name[k]=1');
    expect(lastRequest()).toEqual({ string_value: 'dir/a%2Fb/c', leaf: { label: 'x' }, by_name: { k: 1 } });
    await app.inject('/everything/v1/label/-7');
    expect(lastRequest()).toEqual({ leaf: { label: 'label' }, int64_value: '-7' });
    await app.inject('/everything/v1/a:check');
    expect(lastRequest()).toEqual({ string_value: 'a' });
    expect(last?.path).toBe('/everything.v1.Service/Get');
  });

  it('accepts bodies of any content type, and writes one field as the reply', async () => {
    const headers = { 'content-type': 'text/plain' };
    const reply = await app.inject({ method: 'PUT', url: '/everything/v1/a/leaf', headers, body: '{"label":"b"}' });
    expect(reply.json()).toEqual({ label: 'b', counts: [], colour: 'COLOUR_UNSPECIFIED' });
    const posted = await app.inject({ method: 'POST', url: '/everything/v1/a?int32_value=1', body: '{"names":["n"]}' });
    expect(lastRequest()).toEqual({ string_value: 'a', names: ['n'] });
    expect(posted.headers['warning']).toContain('int32_value');
  });

  it('marks calls with other methods than GET as not repeatable', async () => {
    await app.inject({ method: 'POST', url: '/everything/v1/a', payload: '{}' });
    expect(last?.mustNotRetry).toBe(true);
    await app.inject('/everything/v1/a');
    expect(last?.mustNotRetry).toBeUndefined();
  });

  it('refuses a body beyond the limit in the common shape of errors', async () => {
    const body = JSON.stringify({ stringValue: 'x'.repeat(1024 * 1024) });
    const reply = await app.inject({ method: 'POST', url: '/everything/v1/a', body });
    expect(reply.statusCode).toBe(413);
    expect(rpcError.parse(reply.json()).code).toBe(11);
  });
});

describe('any request', () => {
  const segment = fc.oneof(
    fc.constantFrom('everything', 'v1', 'files', 'dir', 'leaf', 'a:check', '%2F', '%', '%ff', '', '*', 'did:x:1'),
    fc.string({ maxLength: 8 }).filter(isNoDotSegment).map(encodeURIComponent),
  );
  const pair = fc.tuple(
    fc.oneof(
      fc.constantFrom('leaf.label', 'int32_value', 'names', 'by_name[a]', 'json', 'fields', 'height'),
      fc.string({ maxLength: 6 }),
    ),
    fc.string({ maxLength: 6 }),
  );
  const query = fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => pairs.map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).join('&'));

  it('gets a reply or a refusal in the common shape of errors, and never an internal fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 6 }), query, async (segments, text) => {
        const reply = await app.inject(`/everything/v1/${segments.join('/')}?${text}`);
        expect([200, 400, 404, 501]).toContain(reply.statusCode);
        if (reply.statusCode !== 200) rpcError.parse(reply.json());
      }),
      { numRuns: 300 },
    );
  });

  it('binds a path variable and a parameter exactly as they were sent', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(isNoDotSegment);
    await fc.assert(
      fc.asyncProperty(text, text, async (label, name) => {
        await app.inject(`/everything/v1/${encodeURIComponent(label)}/1?names=${encodeURIComponent(name)}`);
        expect(lastRequest()).toEqual({ leaf: { label }, int64_value: '1', names: [name] });
      }),
      { numRuns: 200 },
    );
  });
});

describe('metadata of the node', () => {
  it('is in the headers, and in trailers for clients that accept them', async () => {
    const plain = await app.inject('/everything/v1/a');
    expect(plain.headers).toMatchObject({ 'grpc-metadata-seen': 'yes', 'content-length': expect.any(String) });
    expect(plain.trailers).toEqual({});
    const requested = await app.inject({ url: '/everything/v1/a', headers: { te: 'trailers' } });
    expect(requested.trailers).toEqual({ 'grpc-trailer-after': 'all' });
    expect(requested.json()).toEqual(plain.json());
  });
});

describe('over a socket', () => {
  const patient = { timeout: 15_000, interval: 100 };
  let port: number;
  beforeAll(async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterEach(() => {
    hold = undefined;
  });

  /** Sends a request until the gateway accepts it: after earlier tests it may still shed load. */
  const send = (path: string) =>
    vi.waitFor(async () => {
      last = undefined;
      const requested = request({ host: '127.0.0.1', port, path });
      requested.on('error', () => {});
      const response = once(requested, 'response') as Promise<[IncomingMessage]>;
      response.catch(() => {});
      requested.end();
      const isAtNode = vi.waitFor(() => expect(last).toBeDefined(), { timeout: 10_000, interval: 5 });
      const answered = response.then(([{ statusCode }]) => expect(statusCode).toBe(200));
      await Promise.race([isAtNode, answered]);
      return { requested, response };
    }, patient);

  it('a disconnected caller cancels its call', async () => {
    let release = (): void => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    try {
      const { requested } = await send('/everything/v1/a');
      expect(lastSignal()?.aborted).toBe(false);
      requested.destroy();
      await vi.waitFor(() => expect(lastSignal()?.aborted).toBe(true), patient);
    } finally {
      release();
    }
  });

  it('an answered caller cancels nothing', async () => {
    const { response } = await send('/everything/v1/a');
    const [reply] = await response;
    await text(reply);
    expect(lastSignal()?.aborted).toBe(false);
  });

  it('the whole URL in the request line, as proxies send it, is read as its path', async () => {
    const { response } = await send('http://chain.example/everything/v1/a?int32_value=5');
    const [reply] = await response;
    expect(JSON.parse(await text(reply))).toMatchObject({ string_value: 'a', int32_value: 5 });
    expect(lastRequest()).toEqual({ string_value: 'a', int32_value: 5 });
  });
});
