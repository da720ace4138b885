import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it, vi } from 'vitest';
import { GRPC_REPLY, message, numbers, OK, onRequest, sendHeaders, sendReply, setting } from '../../test/frame-peer.js';
import { echo, meetPeer, patient } from '../../test/meet-peer.js';
import { GRPC_CODES } from '../grpc-code.js';
import { FLAG, FRAME } from '../http2/frames.js';

const meet = meetPeer();

describe('the limits of a peer', () => {
  it('on a request body are respected, a few bytes at a time', async () => {
    const { peer, node } = await meet({
      settings: setting(4, 0),
      onFrame: (to, { type, flags, streamId, payload }) => {
        if (type === FRAME.headers || (type === FRAME.data && (flags & FLAG.endStream) === 0)) {
          to.send(FRAME.windowUpdate, 0, streamId, numbers(3));
        }
        if (type === FRAME.data) expect(payload.length).toBeLessThanOrEqual(3);
        if (type === FRAME.data && (flags & FLAG.endStream) !== 0) sendReply(to, streamId);
      },
    });
    await node.unary(
      ...callTo(
        'Echo',
        {},
        Uint8Array.from({ length: 20 }, (_, index) => index),
      ),
    );
    const body = Buffer.concat(peer.received(FRAME.data).map(({ payload }) => payload));
    expect([...body]).toEqual([0, 0, 0, 0, 20, ...Array.from({ length: 20 }, (_, index) => index)]);
  });

  it('on a body are also increased by its settings', async () => {
    const { node } = await meet({
      settings: setting(4, 0),
      onFrame: (to, { type, flags, streamId }) => {
        if (type === FRAME.headers) to.send(FRAME.settings, 0, 0, setting(4, 100));
        if (type === FRAME.data && (flags & FLAG.endStream) !== 0) sendReply(to, streamId);
      },
    });
    expect((await echo(node)).message).toHaveLength(1);
  });

  it('on concurrent calls make further calls wait on a single connection, without failing', async () => {
    let open = 0;
    const script = onRequest((to, id) => {
      open += 1;
      expect(open).toBeLessThanOrEqual(2);
      setTimeout(() => {
        open -= 1;
        sendReply(to, id);
      }, 5);
    });
    const { peer, node } = await meet({ ...script, settings: setting(3, 2) }, { maxConnections: 1 });
    const replies = await Promise.all(Array.from({ length: 9 }, () => echo(node)));
    expect([replies.length, peer.connections.length]).toEqual([9, 1]);
  });

  it('on calls do not delay a call beyond its deadline', async () => {
    const { node } = await meet({ settings: setting(3, 0), onFrame: () => {} });
    const failure = await failureOf(node.unary(...callTo('Echo', { timeoutMs: 30 })));
    expect(failure.code).toBe(GRPC_CODES.deadlineExceeded);
  });
});

describe('a slow reader', () => {
  it("opens the peer's window only after it has read", async () => {
    const { peer, node } = await meet({
      onFrame: (to, { type, flags, streamId }) => {
        if (type === FRAME.data && (flags & FLAG.endStream) !== 0) {
          sendHeaders(to, streamId, GRPC_REPLY);
          for (let sent = 0; sent < 60; sent += 1) to.send(FRAME.data, 0, streamId, message(Array(16_000).fill(sent)));
          to.send(FRAME.ping, 0, 0, Buffer.alloc(8));
        }
        if (type === FRAME.windowUpdate && streamId !== 0) sendHeaders(to, streamId, OK, FLAG.endStream);
      },
    });
    const stream = node.stream(...callTo('Count'));
    await stream.headers;
    // The answer to a ping that was sent after all of it: the messages have arrived, and none is read.
    await vi.waitFor(() => expect(peer.received(FRAME.ping)).toHaveLength(1), patient);
    expect(peer.received(FRAME.windowUpdate).filter(({ streamId }) => streamId !== 0)).toEqual([]);
    const read: (number | undefined)[] = [];
    for await (const bytes of stream.messages) read.push(bytes[0]);
    expect(read).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });
});
