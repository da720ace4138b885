import { leanChannel, type NodeOptions } from '@mlango/grpc-channel';
import { stockChannel } from '@mlango/grpc-channel/stock';
import { type ChainNode, chainNodeOver } from './chain-node.js';

/** The ways to a node: the lean channel, and the one that comes with grpc-js. */
export const CHANNELS = ['lean', 'stock'] as const;
export type ChannelKind = (typeof CHANNELS)[number];

/** One chain node over a channel. Both hold to the same contract; the lean one costs a fifth of the CPU. */
export function openChainNode(kind: ChannelKind, options: NodeOptions): ChainNode {
  return chainNodeOver(kind === 'lean' ? leanChannel(options) : stockChannel(options));
}
