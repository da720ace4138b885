import { failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { numbers, onRequest, sendReply } from '../../test/frame-peer.js';
import { echo, meetPeer, patient } from '../../test/meet-peer.js';
import { GRPC_CODES } from '../grpc-code.js';
import { ERROR, FLAG, FRAME } from '../http2/frames.js';

describe.each(BOTH_CHANNELS)('a peer that closes, over %s,', (_, open) => {
  const meet = meetPeer(open);

  it('ends the calls it accepted, and gets no others', async () => {
    const { peer, node } = await meet(
      onRequest((to, id, count) => {
        if (count === 1) to.send(FRAME.goaway, 0, 0, numbers(id, ERROR.noError));
        setTimeout(() => sendReply(to, id, [count]), 20);
      }),
    );
    const first = echo(node);
    await vi.waitFor(() => expect(peer.received(FRAME.data)).toHaveLength(1), patient);
    expect([...(await first).message]).toEqual([1]);
    expect([...(await echo(node)).message]).toEqual([2]);
    expect(peer.connections).toHaveLength(2);
  });

  it('closes the connection between two calls: the second one gets a new connection', async () => {
    const { peer, node } = await meet(onRequest((to, id) => sendReply(to, id)));
    await echo(node);
    peer.connections[0]?.socket.end();
    await vi.waitFor(() => expect(peer.connections[0]?.socket.destroyed).toBe(true), patient);
    expect((await echo(node)).message).toHaveLength(1);
    expect(peer.connections).toHaveLength(2);
  });

  it('in the middle of a call fails it as unavailable', async () => {
    const { node } = await meet(onRequest((to) => to.socket.destroy()));
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.unavailable, fromTransport: true });
  });

  it('half, without further frames, fails the call as unavailable', async () => {
    const { node } = await meet(onRequest((to) => to.socket.end()));
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.unavailable });
  });

  it('without notice is detected by an unanswered ping', async () => {
    const { peer, node } = await meet({ onFrame: () => {} }, { keepalive: { afterMs: 20, timeoutMs: 20 } });
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.unavailable });
    expect(peer.received(FRAME.ping)).toHaveLength(1);
  });

  it('is alive while it answers pings', async () => {
    let pings = 0;
    const { node } = await meet(
      {
        onFrame: (to, { type, flags, payload }) => {
          if (type !== FRAME.ping || flags !== 0) return;
          pings += 1;
          to.send(FRAME.ping, FLAG.ack, 0, payload);
          if (pings === 3) sendReply(to, 1);
        },
      },
      { keepalive: { afterMs: 10, timeoutMs: 5000 } },
    );
    expect((await echo(node)).message).toHaveLength(1);
  });
});

describe.each(BOTH_CHANNELS)('a peer that resets a call, over %s,', (_, open) => {
  const meet = meetPeer(open);

  it.each([
    [ERROR.internal, GRPC_CODES.internal],
    [ERROR.enhanceYourCalm, GRPC_CODES.resourceExhausted],
  ])('with code %i fails it with status %i', async (code, status) => {
    const { peer, node } = await meet(onRequest((to, id) => to.send(FRAME.rstStream, 0, id, numbers(code))));
    expect(await failureOf(echo(node))).toMatchObject({ code: status, fromTransport: true });
    expect(peer.connections).toHaveLength(1);
  });
});

// With grpc-js, with its own retries off, the call goes to another node or fails.
describe('a call that a peer did not process, over http2,', () => {
  const meet = meetPeer();

  it('is retried over a new connection after GOAWAY', async () => {
    const { peer, node } = await meet(
      onRequest((to, id, count) => {
        if (count === 1) to.send(FRAME.goaway, 0, 0, numbers(0, ERROR.noError));
        else sendReply(to, id);
      }),
    );
    expect([...(await echo(node)).message]).toEqual([7]);
    expect(peer.connections).toHaveLength(2);
  });

  it('is repeated exactly once if the peer refuses it', async () => {
    const { peer, node } = await meet(
      onRequest((to, id) => to.send(FRAME.rstStream, 0, id, numbers(ERROR.refusedStream))),
    );
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.unavailable });
    expect(peer.received(FRAME.headers)).toHaveLength(2);
  });
});
