import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it, vi } from 'vitest';
import {
  GRPC_REPLY,
  message,
  numbers,
  OK,
  onRequest,
  type PeerConnection,
  sendHeaders,
  sendReply,
  setting,
} from '../../test/frame-peer.js';
import { echo, meetPeer, patient, resets } from '../../test/meet-peer.js';
import { GRPC_CODES } from '../grpc-code.js';
import { ERROR, FLAG, FRAME, writeFrame } from '../http2/frames.js';
import { encodeHeaders } from '../http2/hpack-encoder.js';

const meet = meetPeer();

describe('violations of HTTP/2', () => {
  it.each<[string, (peer: PeerConnection, id: number) => void]>([
    ['garbage', (peer) => void peer.socket.write(Buffer.alloc(200, 0x47))],
    ['a frame larger than agreed', (peer, id) => peer.send(FRAME.data, 0, id, Buffer.alloc(16_385))],
    ['an unopened stream', (peer) => sendReply(peer, 99)],
    ['a push', (peer, id) => peer.send(FRAME.pushPromise, FLAG.endHeaders, id, numbers(2))],
    [
      'headers interrupted by another frame',
      (peer, id) => {
        peer.send(FRAME.headers, 0, id, encodeHeaders(GRPC_REPLY));
        peer.send(FRAME.ping, 0, 0, Buffer.alloc(8));
      },
    ],
    ['headers that cannot be read', (peer, id) => peer.send(FRAME.headers, FLAG.endHeaders, id, Buffer.of(0xff, 0xff))],
    [
      'headers without end',
      (peer, id) => {
        peer.send(FRAME.headers, 0, id);
        for (let sent = 0; sent < 200; sent += 1) peer.send(FRAME.continuation, 0, id, Buffer.alloc(16_000, 0x82));
      },
    ],
    ['a frame that is all padding', (peer, id) => peer.send(FRAME.data, FLAG.padded, id, Buffer.of(9, 1))],
    ['a window update of zero', (peer, id) => peer.send(FRAME.windowUpdate, 0, id, numbers(0))],
    ['a window beyond all bounds', (peer) => peer.send(FRAME.windowUpdate, 0, 0, numbers(2 ** 31 - 1))],
    ['a ping of a stream', (peer, id) => peer.send(FRAME.ping, 0, id, Buffer.alloc(8))],
    ['settings of a stream', (peer, id) => peer.send(FRAME.settings, 0, id, setting(3, 1))],
    ['a farewell of a stream', (peer, id) => peer.send(FRAME.goaway, 0, id, numbers(id, 0))],
    ['a farewell cut short', (peer) => peer.send(FRAME.goaway, 0, 0, numbers(1))],
    ['settings in an acknowledgement', (peer) => peer.send(FRAME.settings, FLAG.ack, 0, setting(3, 1))],
    ['a server that may push', (peer) => peer.send(FRAME.settings, 0, 0, setting(2, 1))],
    [
      'a flood of settings',
      (peer) => void peer.socket.write(Buffer.concat(Array(5000).fill(writeFrame(FRAME.settings, 0, 0)))),
    ],
    [
      'a flood of pings',
      (peer) => void peer.socket.write(Buffer.concat(Array(5000).fill(writeFrame(FRAME.ping, 0, 0, Buffer.alloc(8))))),
    ],
    ['a window of streams beyond all bounds', (peer) => peer.send(FRAME.settings, 0, 0, setting(4, 2 ** 31))],
    ['data of no stream', (peer) => peer.send(FRAME.data, 0, 0, message([7]))],
    ['headers of no stream', (peer) => sendHeaders(peer, 0, GRPC_REPLY)],
    ['a reset of no stream', (peer) => peer.send(FRAME.rstStream, 0, 0, numbers(0))],
    ['a reset of a stream that never was', (peer) => peer.send(FRAME.rstStream, 0, 99, numbers(0))],
    ['a reset cut short', (peer, id) => peer.send(FRAME.rstStream, 0, id, Buffer.alloc(3))],
    ['a priority of no stream', (peer) => peer.send(FRAME.priority, 0, 0, Buffer.alloc(5))],
    ['a window update cut short', (peer, id) => peer.send(FRAME.windowUpdate, 0, id, Buffer.alloc(3))],
    [
      'a continuation without headers',
      (peer, id) => peer.send(FRAME.continuation, FLAG.endHeaders, id, encodeHeaders(OK)),
    ],
    [
      'a continuation of another stream',
      (peer, id) => {
        peer.send(FRAME.headers, 0, id, encodeHeaders(GRPC_REPLY));
        peer.send(FRAME.continuation, FLAG.endHeaders, id + 2, encodeHeaders(OK));
      },
    ],
    [
      'headers that are all padding',
      (peer, id) => peer.send(FRAME.headers, FLAG.padded | FLAG.endHeaders, id, Buffer.of(9, 1)),
    ],
    ['a header that is in no table', (peer, id) => peer.send(FRAME.headers, FLAG.endHeaders, id, Buffer.of(0x80))],
    [
      'a table beyond the agreed size',
      (peer, id) => peer.send(FRAME.headers, FLAG.endHeaders, id, Buffer.of(0x3f, 0xe2, 0x1f)),
    ],
    ['a ping cut short', (peer) => peer.send(FRAME.ping, 0, 0, Buffer.alloc(7))],
    ['settings cut short', (peer) => peer.send(FRAME.settings, 0, 0, Buffer.alloc(5))],
    ['a frame size that is not allowed', (peer) => peer.send(FRAME.settings, 0, 0, setting(5, 1))],
  ])('%s ends the connection and not the node', async (_, misbehave) => {
    const { peer, node } = await meet(
      onRequest((to, id, count) => (count === 1 ? misbehave(to, id) : sendReply(to, id))),
    );
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.unavailable, fromTransport: true });
    expect((await echo(node)).message).toHaveLength(1);
    expect(peer.connections).toHaveLength(2);
  });

  it('more data than the window of a stream ends that stream', async () => {
    const { peer, node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, GRPC_REPLY);
        // Unread messages: the reader of this stream waits for its first one.
        for (let sent = 0; sent < 70; sent += 1) to.send(FRAME.data, 0, id, message(Array(16_000).fill(1)));
      }),
    );
    const stream = node.stream(...callTo('Echo'));
    await stream.headers;
    await vi.waitFor(() => expect(resets(peer)).toEqual([ERROR.flowControl]), patient);
    expect(peer.connections).toHaveLength(1);
  });
});
