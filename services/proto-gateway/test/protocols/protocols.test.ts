import { type DescMethodServerStreaming, type DescMethodUnary, toJson } from '@bufbuild/protobuf';
import { PAGE_LIMITS } from '@mlango/cosmos-rest';
import { type CancelSignal, NodeFailure } from '@mlango/grpc-channel';
import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { builtInRegistry, everythingRegistry } from '@mlango/test-services/descriptors';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChainNode } from '../../src/nodes/chain-node.js';
import { breaks, goesOn, streamOf } from '../support/node-of-streams.js';
import { type AskFailure, PROTOCOL_CLIENTS, type ProtocolClient } from '../support/protocol-clients.js';
import { type ReflectingNode, startReflectingNode } from '../support/reflecting-node.js';
import { channelTo, testApp } from '../support/test-app.js';

const registry = builtInRegistry();
const everything = everythingRegistry();

function method(name: string, from = registry): DescMethodUnary {
  const [service = '', local = ''] = name.split('/');
  const found = from.getService(service)?.method[local];
  if (found === undefined) throw new Error(`no method ${name}`);
  return found as DescMethodUnary;
}

const ENTITY = method('ixo.entity.v1beta1.Query/entity');
const WATCH = everything.getService('everything.v1.Service')?.method['watch'] as DescMethodServerStreaming;
const CLAIMS = method('ixo.claims.v1beta1.Query/claimList');

const PAGES = { ...PAGE_LIMITS, maxLimit: 150n };

let node: MockNode;
let app: HttpApp;
let url: string;
let streaming: ReflectingNode;
let streamApp: HttpApp;
let streamUrl: string;

const listen = (one: HttpApp) => one.listen({ port: 0, host: '127.0.0.1' });

beforeAll(async () => {
  node = await startMockNode();
  app = await testApp(channelTo(node.address), { pages: PAGES });
  url = await listen(app);
  streaming = await startReflectingNode();
  streamApp = await testApp(channelTo(streaming.address), { registry: everything });
  streamUrl = await listen(streamApp);
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
  await node.close();
  streamApp.server.closeAllConnections();
  await streamApp.close();
  await streaming.close();
});

const failureOf = (promise: Promise<unknown>): Promise<AskFailure> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (failure: AskFailure) => failure,
  );

async function all(messages: AsyncIterable<object>): Promise<object[]> {
  const seen: object[] = [];
  for await (const message of messages) seen.push(message);
  return seen;
}

const labelOf = (leaf: object): unknown => Reflect.get(leaf, 'label');

describe.each(Object.entries(PROTOCOL_CLIENTS))('%s', (_name, connectTo) => {
  const client = (to = url): ProtocolClient => connectTo(to);

  it('gets the same as the route', async () => {
    const { message, metadata } = await client().send(ENTITY, { id: 'did:ixo:entity:e0001' });
    const json = await (await fetch(`${url}/proto/entity/did:ixo:entity:e0001?json=camel&defaults=omit`)).json();
    expect(toJson(ENTITY.output, message as never, { registry })).toEqual(json);
    expect(metadata.get('x-cosmos-block-height')).toMatch(/^[0-9]+$/);
  });

  it('gets a page within its bounds', async () => {
    const { message } = await client().send(CLAIMS, { pagination: { limit: 1_000_000n } });
    expect(Reflect.get(message, 'claims')).toHaveLength(Number(PAGES.maxLimit));
    const { message: first } = await client().send(CLAIMS, {});
    expect(Reflect.get(first, 'claims')).toHaveLength(100);
  });

  it('reads an error with its details, those of unknown types too', async () => {
    const failure = await failureOf(client().send(ENTITY, { id: 'did:ixo:entity:details-9' }));
    expect(failure).toMatchObject({ code: GRPC_CODES.failedPrecondition, message: 'forced status 9' });
    expect(failure.details).toEqual([
      { type: 'google.rpc.ErrorInfo', bytes: expect.any(Number) },
      { type: 'google.rpc.BadRequest', bytes: expect.any(Number) },
      { type: 'mlango.unknown.Detail', bytes: 2 },
    ]);
  });

  it('gets the mapped code of a module error', async () => {
    const failure = await failureOf(client().send(method('ixo.claims.v1beta1.Query/claim'), { id: 'nope' }));
    expect(failure).toMatchObject({ code: GRPC_CODES.notFound, message: 'claim not found' });
    expect(failure.details).toMatchObject([{ type: 'google.rpc.ErrorInfo' }]);
  });

  it('sends metadata, bytes too, and reads headers and trailers', async () => {
    const headers = { 'x-mock-echo-text': 'a', 'x-mock-echo-b-bin': 'AAH/', 'x-mock-echo-trailer-c-bin': 'AQID' };
    const { metadata } = await client().send(ENTITY, { id: 'did:ixo:entity:e0001' }, { headers });
    expect(Object.fromEntries(metadata)).toMatchObject(headers);
  });

  it('gets the status of a passed deadline', async () => {
    const options = { timeoutMs: 150 };
    const failure = await failureOf(client().send(ENTITY, { id: 'did:ixo:entity:delay-60000' }, options));
    expect(failure.code).toBe(GRPC_CODES.deadlineExceeded);
  });

  it('cancels its call at the node when it leaves', async () => {
    const signals: CancelSignal[] = [];
    const held: ChainNode = {
      call: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signals.push(signal);
          const leave = () => reject(new NodeFailure(GRPC_CODES.cancelled, 'gone'));
          signal.addEventListener('abort', leave);
        }),
      stream: () => ({ headers: Promise.resolve([]), messages: none() }),
      close() {},
    };
    const holding = await testApp(held);
    const leaving = new AbortController();
    const requested = failureOf(client(await listen(holding)).send(ENTITY, { id: 'x' }, { signal: leaving.signal }));
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    leaving.abort();
    expect((await requested).code).toBe(GRPC_CODES.cancelled);
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    holding.server.closeAllConnections();
    await holding.close();
  });

  it('gets unimplemented for methods that are not served', async () => {
    const hidden = method('everything.v1.Service/hidden', everything);
    const failure = await failureOf(client(streamUrl).send(hidden, {}));
    expect(failure).toMatchObject({
      code: GRPC_CODES.unimplemented,
      message: 'everything.v1.Service/Hidden is not served here',
    });
  });

  it('reads a stream to its end', async () => {
    expect((await all(client(streamUrl).watch(WATCH, { stringValue: 'a' }))).map(labelOf)).toEqual(['a', 'b']);
  });

  it('reads the messages of a broken stream, and the reason of the break', async () => {
    const breaking = await testApp(streamOf(breaks), { registry: everything });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const leaf of client(await listen(breaking)).watch(WATCH, {})) seen.push(labelOf(leaf));
    })();
    expect(await failureOf(reading)).toMatchObject({ code: GRPC_CODES.dataLoss, message: 'lost' });
    expect(seen).toEqual(['a', 'b']);
    breaking.server.closeAllConnections();
    await breaking.close();
  });
});

/** In Node.js an XMLHttpRequest of `grpc-web` is read only at its end. */
const READERS = Object.entries(PROTOCOL_CLIENTS).filter(([name]) => !name.startsWith('grpc-web'));

describe.each(READERS)('%s', (_name, connectTo) => {
  it('reads a stream incrementally, and cancels it at the node when it leaves', async () => {
    const signals: CancelSignal[] = [];
    const endless = await testApp(streamOf(goesOn, signals), { registry: everything });
    const leaving = new AbortController();
    const reading = (async () => {
      const messages = connectTo(await listen(endless)).watch(WATCH, {}, { signal: leaving.signal });
      for await (const leaf of messages) {
        expect(labelOf(leaf)).toBe('a');
        leaving.abort();
      }
    })();
    expect((await failureOf(reading)).code).toBe(GRPC_CODES.cancelled);
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    endless.server.closeAllConnections();
    await endless.close();
  });
});

async function* none() {
  yield* [];
  return [];
}
