import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create, fromJson, toBinary } from '@bufbuild/protobuf';
import { type CancelSignal, NodeFailure } from '@mlango/grpc-channel';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testApp } from '../../test/support/test-app.js';
import type { ChainNode } from '../nodes/chain-node.js';

const registry = everythingRegistry();
const leaf = messageOf(registry, 'everything.v1.Leaf');
const leafOf = (label: string) => toBinary(leaf, fromJson(leaf, { label }));

let app: HttpApp | undefined;
afterEach(() => app?.close());

/** A node that streams the messages the function yields; `signals` has the signal of each call. */
async function appOver(
  messages: () => AsyncGenerator<Uint8Array>,
  signals: CancelSignal[] = [],
  times: { streamIdleMs?: number; defaultTimeoutMs?: number } = {},
  timeouts: number[] = [],
): Promise<HttpApp> {
  const node: ChainNode = {
    call: () => Promise.reject(new NodeFailure(GRPC_CODES.unimplemented, 'only streams here')),
    stream: ({ signal, timeoutMs }) => {
      signals.push(signal);
      timeouts.push(timeoutMs);
      return { headers: Promise.resolve([['x-cosmos-block-height', '5']]), messages: messages() };
    },
    close() {},
  };
  app = await testApp(node, { registry, ...times });
  return app;
}

const url = '/everything/v1/a/watch?defaults=omit';

describe('a server stream', () => {
  it('is a line of JSON for each message, with the height in front', async () => {
    const reply = await (
      await appOver(async function* () {
        yield leafOf('a');
        yield toBinary(leaf, create(leaf));
      })
    ).inject(url);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'x-cosmos-block-height': '5',
    });
    expect(reply.body).toBe('{"result":{"label":"a"}}\n{"result":{}}\n');
  });

  it('is server-sent events on request', async () => {
    const reply = await (
      await appOver(async function* () {
        yield leafOf('a');
      })
    ).inject({ url: `${url}&pretty=1`, headers: { accept: 'text/event-stream' } });
    expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(reply.body).toMatch(/^data: \{"result":\{ +"label": "a" \}\}\n\n$/);
  });

  it('that fails before its first message is an error with its HTTP status', async () => {
    const failing = await appOver(async function* () {
      yield* [];
      throw new NodeFailure(GRPC_CODES.outOfRange, 'no further');
    });
    const reply = await failing.inject(url);
    expect([reply.statusCode, reply.json()]).toEqual([400, { code: 11, message: 'no further', details: [] }]);
  });

  it('that breaks ends with the error as its last line', async () => {
    const breaking = await appOver(async function* () {
      yield leafOf('a');
      throw new NodeFailure(GRPC_CODES.dataLoss, 'lost');
    });
    const reply = await breaking.inject(url);
    expect(reply.body.split('\n')[1]).toBe('{"error":{"code":15,"message":"lost","details":[]}}');
  });

  it('with invalid message bytes ends with an error without internal details', async () => {
    const garbage = await appOver(async function* () {
      yield leafOf('a');
      yield Uint8Array.of(0x0a, 0xff);
    });
    expect((await garbage.inject(url)).body.split('\n')[1]).toBe(
      '{"error":{"code":13,"message":"The answer of the chain node could not be read","details":[]}}',
    );
  });

  it('ends after its idle limit, and is cancelled at the node', async () => {
    const signals: CancelSignal[] = [];
    const silent = await appOver(
      async function* () {
        yield leafOf('a');
        await new Promise(() => {});
      },
      signals,
      { streamIdleMs: 60 },
    );
    const reply = await silent.inject(url);
    expect(reply.body.split('\n')[1]).toContain('"code":4');
    expect(signals[0]?.aborted).toBe(true);
  });

  it('has only the deadline of its caller', async () => {
    const timeouts: number[] = [];
    const short = await appOver(
      async function* () {
        yield leafOf('a');
      },
      [],
      { defaultTimeoutMs: 1000 },
      timeouts,
    );
    await short.inject(url);
    await short.inject({ url, headers: { 'grpc-timeout': '5S' } });
    expect(timeouts).toEqual([2 ** 31 - 1, 5000]);
  });

  it('is cancelled after its headers for HEAD', async () => {
    const signals: CancelSignal[] = [];
    const endless = await appOver(async function* () {
      for (;;) yield leafOf('a');
    }, signals);
    const reply = await endless.inject({ method: 'HEAD', url });
    expect([reply.statusCode, reply.body, signals[0]?.aborted]).toEqual([200, '', true]);
  });

  it('is cancelled at the node when the caller disconnects, and when the gateway closes', async () => {
    const signals: CancelSignal[] = [];
    const endless = await appOver(async function* () {
      const signal = signals.at(-1);
      for (;;) {
        yield leafOf('a');
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
        if (signal?.aborted === true) throw new NodeFailure(GRPC_CODES.cancelled, 'gone');
      }
    }, signals);
    await endless.listen({ host: '127.0.0.1', port: 0 });
    const { port } = endless.server.address() as AddressInfo;
    const open = (): Promise<() => void> =>
      new Promise((resolve) => {
        const request = get({ host: '127.0.0.1', port, path: url }, (response) => {
          response.on('error', () => {});
          response.once('data', () => resolve(() => request.destroy()));
        });
        request.on('error', () => {});
      });
    const leave = await open();
    expect(signals[0]?.aborted).toBe(false);
    leave();
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    await open();
    await endless.close();
    expect(signals[1]?.aborted).toBe(true);
  });
});
