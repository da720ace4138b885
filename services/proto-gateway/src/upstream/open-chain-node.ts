import type { ChainNode } from './chain-node.js';
import type { ChainNodeOptions } from './chain-node-options.js';
import { leanChainNode } from './lean/lean-chain-node.js';
import { stockChainNode } from './stock/stock-chain-node.js';

/** The ways to a node: the gateway's own, and the one that comes with grpc-js. */
export const CHANNELS = ['lean', 'stock'] as const;
export type Channel = (typeof CHANNELS)[number];

/** One chain node over a channel. Both hold to the same contract; the lean one costs a fifth of the CPU. */
export function openChainNode(channel: Channel, options: ChainNodeOptions): ChainNode {
  return channel === 'lean' ? leanChainNode(options) : stockChainNode(options);
}
