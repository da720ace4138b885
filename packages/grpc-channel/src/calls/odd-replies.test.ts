import { failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { GRPC_REPLY, message, OK, onRequest, sendHeaders, sendReply } from '../../test/frame-peer.js';
import { echo, meetPeer, patient, resets } from '../../test/meet-peer.js';
import { GRPC_CODES } from '../grpc-code.js';
import { ERROR, FLAG, FRAME } from '../http2/frames.js';
import { encodeHeaders } from '../http2/hpack-encoder.js';

describe.each(BOTH_CHANNELS)('a reply, over %s,', (_, open) => {
  const meet = meetPeer(open);

  it('of headers only fails with its status', async () => {
    const { node } = await meet(
      onRequest((to, id) => {
        const text = 'caf%C3%A9 %zz';
        sendHeaders(to, id, [...GRPC_REPLY, ['grpc-status', '5'], ['grpc-message', text]], FLAG.endStream);
      }),
    );
    // An invalid escape leaves the text unchanged.
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.notFound, message: 'caf%C3%A9 %zz' });
  });

  it('has its message text unescaped, and bytes of metadata with and without padding', async () => {
    const { node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, GRPC_REPLY);
        const trailers = [
          ['grpc-status', '9'],
          ['grpc-message', 'caf%C3%A9'],
          ['a-bin', 'AP8=, AP8'],
        ] as const;
        sendHeaders(to, id, trailers, FLAG.endStream);
      }),
    );
    const failure = await failureOf(echo(node));
    expect(failure).toMatchObject({ code: GRPC_CODES.failedPrecondition, message: 'café' });
    expect(failure.metadata).toEqual([
      ['a-bin', Buffer.from([0, 255])],
      ['a-bin', Buffer.from([0, 255])],
    ]);
  });

  it('beyond the limit is refused by its prefix, and reset', async () => {
    const { peer, node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, GRPC_REPLY);
        to.send(FRAME.data, 0, id, Buffer.from([0, 0x7f, 0xff, 0xff, 0xff, 1]));
      }),
    );
    expect(await failureOf(echo(node))).toMatchObject({ tooLarge: true, code: GRPC_CODES.resourceExhausted });
    await vi.waitFor(() => expect(resets(peer)).toEqual([ERROR.cancel]), patient);
  });

  it('may arrive one byte at a time', async () => {
    const script = onRequest((to, id) => sendReply(to, id, [1, 2, 3]));
    const { node } = await meet({
      ...script,
      write: (socket, bytes) => {
        socket.setNoDelay(true);
        for (const byte of bytes) socket.write(Buffer.of(byte));
      },
    });
    expect([...(await echo(node)).message]).toEqual([1, 2, 3]);
  });

  it('may be announced, padded, prioritised, split, and mixed with frames of other kinds', async () => {
    const { node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, [[':status', '103']]);
        const block = encodeHeaders([...GRPC_REPLY, ['a', '1']]);
        const padded = Buffer.concat([Buffer.of(3, 0, 0, 0, 0, 16), block.subarray(0, 10), Buffer.alloc(3)]);
        to.send(FRAME.headers, FLAG.padded | FLAG.priority, id, padded);
        to.send(FRAME.continuation, 0, id, block.subarray(10, 20));
        to.send(FRAME.continuation, FLAG.endHeaders, id, block.subarray(20));
        to.send(0xfa, 0, id, Buffer.from('an unknown frame'));
        to.send(FRAME.priority, 0, id, Buffer.alloc(5));
        to.send(FRAME.data, FLAG.padded, id, Buffer.concat([Buffer.of(2), message([7, 8]), Buffer.alloc(2)]));
        to.send(FRAME.data, 0, id, Buffer.alloc(0));
        sendHeaders(to, id, OK, FLAG.endStream);
      }),
    );
    const reply = await echo(node);
    expect([[...reply.message], reply.headers]).toEqual([[7, 8], [['a', '1']]]);
  });
});

// grpc-js has other codes for these: 13 for the first, and 4, once the time of the call is over, for two messages.
describe('a reply, over http2,', () => {
  const meet = meetPeer();

  it('without a status is a failure', async () => {
    const { node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, GRPC_REPLY);
        to.send(FRAME.data, FLAG.endStream, id, message([7]));
      }),
    );
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.unknown, fromTransport: true });
  });

  it.each([
    ['with no message', 0],
    ['with two messages', 2],
  ])('%s is a failure of a unary call', async (_, count) => {
    const { node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, GRPC_REPLY);
        for (let sent = 0; sent < count; sent += 1) to.send(FRAME.data, 0, id, message([1]));
        sendHeaders(to, id, OK, FLAG.endStream);
      }),
    );
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.internal, fromTransport: true });
  });
});
