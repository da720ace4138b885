import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { message, numbers, OK, onRequest, sendHeaders, sendReply } from '../../test/frame-peer.js';
import { echo, meetPeer } from '../../test/meet-peer.js';
import { createChannel } from '../create-channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { ERROR, FLAG, FRAME } from '../http2/frames.js';
import { HeaderDecoder } from '../http2/hpack-decoder.js';

describe.each(BOTH_CHANNELS)('over %s', (_, open) => {
  const meet = meetPeer(open);

  it.each(['401', '403'])(
    'a proxy that answers %s makes its node unavailable, with the status as reason',
    async (status) => {
      const { node } = await meet(
        onRequest((to, id) =>
          sendHeaders(
            to,
            id,
            [
              [':status', status],
              ['content-type', 'text/html'],
            ],
            FLAG.endStream,
          ),
        ),
      );
      expect(await failureOf(echo(node))).toMatchObject({
        code: GRPC_CODES.unavailable,
        fromTransport: true,
        outage: { problem: 'http-status', reason: expect.stringContaining(status) },
      });
    },
  );

  it.each(['Application/gRPC', 'application/GRPC+Proto', 'APPLICATION/GRPC;charset=utf-8'])(
    'a reply with the content type %s is one of gRPC',
    async (type) => {
      const { node } = await meet(
        onRequest((to, id) => {
          sendHeaders(to, id, [
            [':status', '200'],
            ['content-type', type],
          ]);
          to.send(FRAME.data, 0, id, message([7]));
          sendHeaders(to, id, OK, FLAG.endStream);
        }),
      );
      expect((await echo(node)).message).toHaveLength(1);
    },
  );

  it('a call that the node cancels goes to another node, and counts as a failure', async () => {
    const cancels = await meet(onRequest((to, id) => to.send(FRAME.rstStream, 0, id, numbers(ERROR.cancel))));
    const answers = await meet(onRequest((to, id) => sendReply(to, id)));
    expect(await failureOf(echo(cancels.node))).toMatchObject({ code: GRPC_CODES.unavailable });
    const onRetry = vi.fn();
    const channel = createChannel({
      targets: [cancels.peer.target, answers.peer.target],
      open,
      probe: async () => ({}),
      onRetry,
    });
    try {
      for (let count = 0; count < 8; count += 1) expect((await echo(channel)).message).toHaveLength(1);
      expect(onRetry).toHaveBeenCalledTimes(3);
      expect(channel.nodes()[0]).toMatchObject({ state: 'failing', pauses: 1 });
    } finally {
      channel.close();
    }
  });

  it('the node gets the time that remains when a call had to wait for its connection', async () => {
    const delayMs = 300;
    const times: number[] = [];
    const { node } = await meet({
      ...onRequest((to, id) => sendReply(to, id)),
      // The settings of the peer arrive late.
      write: (socket, bytes) => void setTimeout(() => socket.write(bytes), delayMs),
      onFrame: (to, { type, streamId, payload, flags }) => {
        if (type === FRAME.headers) {
          const [, value = ''] = new HeaderDecoder().decode(payload)?.find(([name]) => name === 'grpc-timeout') ?? [];
          times.push(Number.parseInt(value, 10));
        }
        if (type === FRAME.data && (flags & FLAG.endStream) !== 0) sendReply(to, streamId);
      },
    });
    await node.unary(...callTo('Echo', { timeoutMs: 9000 }));
    expect(times[0]).toBeLessThanOrEqual(9000 - delayMs + 5);
  });
});
