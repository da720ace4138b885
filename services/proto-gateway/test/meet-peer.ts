import { afterEach } from 'vitest';
import { callTo } from '../src/upstream/chain-node.contract.js';
import type { ChainNode, NodeReply } from '../src/upstream/chain-node.js';
import type { ChainNodeOptions } from '../src/upstream/chain-node-options.js';
import { FRAME } from '../src/upstream/http2/frames.js';
import { leanChainNode } from '../src/upstream/lean/lean-chain-node.js';
import { type FramePeer, type PeerScript, startFramePeer } from './frame-peer.js';

export const patient = { timeout: 10_000, interval: 10 };

/** Starts peers and connects to them over the lean channel; all of it ends with the test. */
export function meetPeer() {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async (
    script: PeerScript,
    options: Partial<ChainNodeOptions> = {},
  ): Promise<{ peer: FramePeer; node: ChainNode }> => {
    const peer = await startFramePeer(script);
    const node = leanChainNode({ target: peer.target, maxReceiveBytes: 100_000, ...options });
    closing.push(
      () => peer.close(),
      () => node.close(),
    );
    return { peer, node };
  };
}

export const echo = (node: ChainNode): Promise<NodeReply> => node.call(callTo('Echo'));

/** The codes of the resets a peer got. */
export const resets = (peer: FramePeer): number[] =>
  peer.received(FRAME.rstStream).map(({ payload }) => payload.readUInt32BE());
