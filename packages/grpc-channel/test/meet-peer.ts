import { callTo } from '@mlango/test-services/channel-contract';
import { afterEach } from 'vitest';
import { http2Channel } from '../src/calls/http2-channel.js';
import type { Channel, Reply } from '../src/channel.js';
import { FRAME } from '../src/http2/frames.js';
import type { NodeOptions } from '../src/node-options.js';
import { type FramePeer, type PeerScript, startFramePeer } from './frame-peer.js';

export const patient = { timeout: 10_000, interval: 10 };

/** Starts peers and connects to them, by default over our own channel; everything ends with the test. */
export function meetPeer(open: (options: NodeOptions) => Channel = http2Channel) {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async (
    script: PeerScript,
    options: Partial<NodeOptions> = {},
  ): Promise<{ peer: FramePeer; node: Channel }> => {
    const peer = await startFramePeer(script);
    const node = open({ target: peer.target, maxReceiveBytes: 100_000, ...options });
    closing.push(
      () => peer.close(),
      () => node.close(),
    );
    return { peer, node };
  };
}

export const echo = (node: Channel): Promise<Reply> => node.unary(...callTo('Echo'));

/** The codes of the resets a peer got. */
export const resets = (peer: FramePeer): number[] =>
  peer.received(FRAME.rstStream).map(({ payload }) => payload.readUInt32BE());
