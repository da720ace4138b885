import { GRPC_CODES } from '../transcoding/grpc-status.js';
import { type ChainNode, NodeFailure } from './chain-node.js';

/**
 * Several nodes as one. Calls go round; one that a node was not there for goes once more, to the next node, with what
 * is left of its time. Queries change nothing, so asking twice is safe. Calls that may, and streams, are not made twice.
 *
 * @param now milliseconds of a clock that never goes back
 * @param onRetry told of each call that is made once more
 */
export function nodePool(
  nodes: readonly [ChainNode, ...ChainNode[]],
  now: () => number,
  onRetry: () => void = () => {},
): ChainNode {
  const [only] = nodes;
  if (nodes.length === 1) return only;
  let turn = 0;
  const next = (): ChainNode => {
    const node = nodes[turn % nodes.length] ?? nodes[0];
    turn = (turn + 1) % nodes.length;
    return node;
  };
  return {
    async call(call) {
      const startedAt = now();
      const first = next();
      try {
        return await first.call(call);
      } catch (failure) {
        const timeoutMs = call.timeoutMs - (now() - startedAt);
        const isOver = call.isOnce === true || timeoutMs <= 0 || call.signal.aborted;
        if (isOver || !isWorthAnotherNode(failure)) throw failure;
        // Calls that came meanwhile moved the turn, so the other node is counted from the first one.
        const other = nodes[(nodes.indexOf(first) + 1) % nodes.length] ?? first;
        onRetry();
        return other.call({ ...call, timeoutMs });
      }
    },
    stream: (call) => next().stream(call),
    close() {
      for (const node of nodes) node.close();
    },
  };
}

function isWorthAnotherNode(failure: unknown): boolean {
  return failure instanceof NodeFailure && failure.code === GRPC_CODES.unavailable;
}
