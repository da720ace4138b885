import { GRPC_CODES } from '../transcoding/grpc-status.js';
import { requestedHeight } from './call-key.js';
import { type ChainNode, type NodeCall, NodeFailure } from './chain-node.js';
import { failedStream } from './failed-stream.js';
import { nodePool } from './node-pool.js';
import { covers, type HeightRange, isEveryHeight, printRange } from './node-target.js';

export interface RangedNode {
  readonly node: ChainNode;
  readonly heights: HeightRange;
}

/**
 * Several nodes as one, each asked only for heights it has: old blocks go to archive nodes, the latest one never goes to a
 * node whose range has an end. Among those that have a height it is a pool, with its one retry. A height that none has
 * fails with code 11.
 *
 * @param now milliseconds of a clock that never goes back
 * @param onRetry told of each call that is made once more
 */
export function nodesByHeight(
  nodes: readonly [RangedNode, ...RangedNode[]],
  now: () => number,
  onRetry?: () => void,
): ChainNode {
  const [{ node: oneNode }, ...otherNodes] = nodes;
  if (nodes.every(({ heights }) => isEveryHeight(heights))) {
    return nodePool([oneNode, ...otherNodes.map(({ node }) => node)], now, onRetry);
  }
  /** One for each set of nodes that serves some height; there are at most two for each range. */
  const pools = new Map<string, ChainNode>();

  function poolFor(call: NodeCall): ChainNode | NodeFailure {
    const digits = requestedHeight(call.metadata);
    const height = digits === undefined ? undefined : BigInt(digits);
    const able = nodes.filter(({ heights }) => covers(heights, height));
    const [first, ...rest] = able.map(({ node }) => node);
    if (first === undefined) return notServed(digits, nodes);
    const key = able.map((each) => nodes.indexOf(each)).join();
    const pool = pools.get(key) ?? nodePool([first, ...rest], now, onRetry);
    pools.set(key, pool);
    return pool;
  }

  return {
    async call(call) {
      const pool = poolFor(call);
      if (pool instanceof NodeFailure) throw pool;
      return pool.call(call);
    },
    stream(call) {
      const pool = poolFor(call);
      return pool instanceof NodeFailure ? failedStream(pool) : pool.stream(call);
    },
    close() {
      for (const { node } of nodes) node.close();
    },
  };
}

function notServed(digits: string | undefined, nodes: readonly RangedNode[]): NodeFailure {
  const served = nodes.map(({ heights }) => printRange(heights)).join(', ');
  const what = digits === undefined ? 'the latest height' : `height ${digits}`;
  return new NodeFailure(GRPC_CODES.outOfRange, `No chain node here has ${what}. Served are: ${served}.`);
}
