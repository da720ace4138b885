import { callTo } from '@mlango/test-services/channel-contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { type PeerScript, sendReply } from '../../test/frame-peer.js';
import { echo, meetPeer, patient } from '../../test/meet-peer.js';
import { createChannel } from '../create-channel.js';
import { FLAG, FRAME } from '../http2/frames.js';

/** Time enough for an answer within one process on a busy machine. */
const keepalive = { afterMs: 100, timeoutMs: 400 };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Connections answer until `silence` is called; later ones answer again. */
function silenced({ answersPings }: { readonly answersPings: boolean }): PeerScript & { silence: () => void } {
  const silent = new Set<unknown>();
  const known = new Set<unknown>();
  return {
    silence: () => {
      for (const peer of known) silent.add(peer);
    },
    onFrame: (peer, { type, flags, streamId, payload }) => {
      known.add(peer);
      const isPing = type === FRAME.ping && (flags & FLAG.ack) === 0;
      if (isPing && (answersPings || !silent.has(peer))) peer.send(FRAME.ping, FLAG.ack, 0, payload);
      if (silent.has(peer)) return;
      if (type === FRAME.settings && (flags & FLAG.ack) === 0) peer.send(FRAME.settings, FLAG.ack, 0);
      if (type === FRAME.data && (flags & FLAG.endStream) !== 0) sendReply(peer, streamId);
    },
  };
}

describe.each(BOTH_CHANNELS)('a connection that goes silent, over %s,', (_, open) => {
  const meet = meetPeer(open);

  it('is replaced even if no call is open at the ping timeout', async () => {
    const script = silenced({ answersPings: false });
    const { peer, node } = await meet(script, { keepalive });
    await echo(node);
    script.silence();
    // Each call ends before the ping does, so that the connection is without calls for most of the time.
    await vi.waitFor(
      async () => {
        const reply = await node.unary(...callTo('Echo', { timeoutMs: 15 })).catch(() => undefined);
        expect(reply?.message).toHaveLength(1);
      },
      { timeout: 10_000, interval: 90 },
    );
    expect(peer.connections).toHaveLength(2);
  });

  it('is pinged at the keepalive time also while replies arrive', async () => {
    const times = { afterMs: 200, timeoutMs: 10_000 };
    const { peer, node } = await meet(silenced({ answersPings: true }), { keepalive: times });
    await vi.waitFor(
      async () => {
        await echo(node);
        expect(peer.received(FRAME.ping).length).toBeGreaterThan(1);
      },
      { timeout: 10_000, interval: 2 },
    );
  });

  it('is replaced when all health checks were unanswered, though pings are answered', async () => {
    const script = silenced({ answersPings: true });
    const { peer } = await meet(script);
    const channel = createChannel({
      targets: [peer.target],
      open,
      keepalive,
      watch: { everyMs: 20, timeoutMs: 15 },
      probe: async (node, timeoutMs) => {
        await node.unary(...callTo('Echo', { timeoutMs }));
        return {};
      },
    });
    closing.push(() => channel.close());
    await echo(channel);
    script.silence();
    const waiting = channel.unary(...callTo('Echo', { timeoutMs: 5000 })).catch(() => undefined);
    await vi.waitFor(() => expect(channel.nodes()[0]?.state).toBe('failing'), patient);
    await vi.waitFor(() => expect(peer.connections.length).toBeGreaterThan(1), patient);
    expect((await echo(channel)).message).toHaveLength(1);
    channel.close();
    await waiting;
  });
});
