import { Server, ServerCredentials } from '@grpc/grpc-js';
import { byteMethod } from '@mlango/test-services/byte-method';
import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { onRequest, type PeerConnection, sendReply, setting } from '../../test/frame-peer.js';
import { echo, meetPeer, patient } from '../../test/meet-peer.js';
import type { Outage } from '../connect-problem.js';
import { GRPC_CODES } from '../grpc-code.js';
import { FRAME } from '../http2/frames.js';
import { http2Channel } from './http2-channel.js';

const meet = meetPeer();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Holds each call until it is released, with a limit of calls over a connection. */
function holding(streams: number) {
  const held: { peer: PeerConnection; id: number }[] = [];
  const script = { ...onRequest((peer, id) => void held.push({ peer, id })), settings: setting(3, streams) };
  const letGo = (): void => {
    for (const { peer, id } of held.splice(0)) sendReply(peer, id);
  };
  return { script, held, letGo };
}

describe('a node with a low limit of concurrent calls per connection', () => {
  it('gets further connections, up to the bound, and no more calls over each than its limit', async () => {
    const { script, held, letGo } = holding(2);
    const { peer, node } = await meet(script, { maxConnections: 3 });
    const replies = times(9, () => echo(node));
    await vi.waitFor(() => expect(held).toHaveLength(6), patient);
    for (const connection of peer.connections)
      expect(held.filter(({ peer: its }) => its === connection)).toHaveLength(2);
    letGo();
    await vi.waitFor(() => expect(held).toHaveLength(3), patient);
    letGo();
    expect((await Promise.all(replies)).length).toBe(9);
    expect(peer.connections).toHaveLength(3);
  });

  it('keeps one connection when the others are idle', async () => {
    const { script, held, letGo } = holding(1);
    const { peer, node } = await meet(script, { idleConnectionMs: 20 });
    const replies = times(3, () => echo(node));
    await vi.waitFor(() => expect(held).toHaveLength(3), patient);
    expect(peer.connections).toHaveLength(3);
    letGo();
    await Promise.all(replies);
    await vi.waitFor(() => expect(peer.received(FRAME.goaway)).toHaveLength(2), patient);
    const next = echo(node);
    await vi.waitFor(() => expect(held).toHaveLength(1), patient);
    expect(held[0]?.peer).toBe(peer.connections[0]);
    letGo();
    await next;
    expect(peer.connections).toHaveLength(3);
  });

  it('that refuses a further connection is available: calls wait', async () => {
    const { script, held, letGo } = holding(1);
    const outage: (Outage | undefined)[] = [];
    const { peer, node } = await meet(script, { onOutage: (what) => void outage.push(what) });
    const first = echo(node);
    await vi.waitFor(() => expect(held).toHaveLength(1), patient);
    const tried: number[] = [];
    peer.refuse(() => void tried.push(1));
    const second = echo(node);
    await vi.waitFor(() => expect(tried).toHaveLength(1), patient);
    letGo();
    await first;
    await vi.waitFor(() => expect(held).toHaveLength(1), patient);
    letGo();
    expect((await second).message).toHaveLength(1);
    expect([outage, tried.length]).toEqual([[], 1]);
  });

  it('with a limit of zero gets one connection, and calls end at their deadline', async () => {
    const { peer, node } = await meet({ settings: setting(3, 0), onFrame: () => {} });
    const failures = await Promise.all(times(5, () => failureOf(node.unary(...callTo('Echo', { timeoutMs: 60 })))));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set([GRPC_CODES.deadlineExceeded]));
    expect(peer.connections).toHaveLength(1);
  });

  it('continues with the others when one of its connections breaks', async () => {
    const { script, held, letGo } = holding(1);
    const { peer, node } = await meet(script, { maxConnections: 2 });
    const calls = times(2, () =>
      echo(node).then(
        () => 'answered',
        () => 'broken',
      ),
    );
    await vi.waitFor(() => expect(held).toHaveLength(2), patient);
    peer.connections[0]?.socket.destroy();
    expect(await calls[0]).toBe('broken');
    held.shift();
    letGo();
    expect(await calls[1]).toBe('answered');
    const next = echo(node);
    await vi.waitFor(() => expect(held).toHaveLength(1), patient);
    letGo();
    await next;
    expect(peer.connections).toHaveLength(2);
  });
});

describe('a real gRPC server with a limit of two concurrent calls', () => {
  it('answers six at once over three connections', async () => {
    const server = new Server({ 'grpc.max_concurrent_streams': 2 });
    const held: (() => void)[] = [];
    server.addService(
      { Wait: byteMethod('/test.Raw/Wait') },
      {
        Wait: (call: { request: Buffer }, done: (error: null, reply: Buffer) => void) =>
          void held.push(() => done(null, call.request)),
      },
    );
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    const channel = http2Channel({ target: `127.0.0.1:${port}`, maxReceiveBytes: 1000 });
    closing.push(
      () => server.forceShutdown(),
      () => channel.close(),
    );
    const replies = Array.from({ length: 6 }, (_, index) => channel.unary(...callTo('Wait', {}, Uint8Array.of(index))));
    await vi.waitFor(() => expect(held).toHaveLength(6), patient);
    for (const answer of held) answer();
    expect((await Promise.all(replies)).map(({ message }) => message[0])).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
