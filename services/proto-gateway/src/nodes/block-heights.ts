import { findHeight } from '@mlango/cosmos-rest/heights';
import type { NodeReport, Positions, Probe } from '@mlango/grpc-channel';
import { chainNodeOver } from './chain-node-over.js';
import { type NodeState, readNodeState } from './node-state.js';

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
 * Asks a node for its newest block.
 *
 * @param onLook told what each look brought
 */
export function blockProbe(onLook: (node: NodeReport, state: NodeState) => void): Probe {
  return async (channel, timeoutMs, node) => {
    const state = await readNodeState(chainNodeOver(channel), timeoutMs);
    onLook(node, state);
    const { reachable, height, blockSeconds } = state;
    if (!reachable) throw new Error('the node is away');
    return {
      position: height === null ? undefined : Number(height),
      madeAtMs: blockSeconds === null ? undefined : blockSeconds * 1000,
    };
  };
}
