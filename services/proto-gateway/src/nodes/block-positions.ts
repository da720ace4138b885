import { findHeight } from '@mlango/cosmos-rest/heights';
import type { NodeReport, Positions, Probe } from '@mlango/grpc-channel';
import { nodeOverChannel } from './chain-node.js';
import { type NodeState, readNodeState } from './health.js';

/** The blocks of a chain, as the positions of its nodes. */
export function blockHeights(maxLagBlocks: number): Positions {
  return {
    name: 'height',
    ofReply: (metadata) => {
      const height = findHeight(metadata);
      return height === undefined ? undefined : Number(height);
    },
    maxLag: maxLagBlocks,
  };
}

/**
 * Reads a node's latest block.
 *
 * @param onState called with each state
 */
export function blockProbe(onState: (node: NodeReport, state: NodeState) => void): Probe {
  return async (channel, timeoutMs, node) => {
    const state = await readNodeState(nodeOverChannel(channel), timeoutMs);
    onState(node, state);
    const { reachable, height, blockSeconds } = state;
    if (!reachable) throw new Error('the node is unreachable');
    return {
      position: height === null ? undefined : Number(height),
      madeAtMs: blockSeconds === null ? undefined : blockSeconds * 1000,
    };
  };
}
