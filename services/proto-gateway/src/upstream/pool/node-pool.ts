import { GRPC_CODES } from '../../transcoding/grpc-status.js';
import { requestedHeight } from '../call-key.js';
import { type ChainNode, type NodeCall, NodeFailure } from '../chain-node.js';
import { failedStream } from '../failed-stream.js';
import { covers, isEveryHeight, printRange } from '../node-target.js';
import { type ChoiceRules, chooseNode } from './choose-node.js';
import type { KnownNode } from './known-node.js';

export interface PoolOptions extends ChoiceRules {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Told of each call that is made once more. */
  readonly onRetry?: () => void;
}

/**
 * Several nodes as one. Each is asked only for heights it has: old blocks go to archive nodes, the latest one never goes to
 * a node whose range has an end or that lags behind. A height that none has fails with code 11.
 *
 * A call that a node was not there for goes once more, to another live one, with what is left of its time. Queries change
 * nothing, so asking twice is safe. Calls that may, and streams, are not made twice.
 */
export function nodePool(nodes: readonly [KnownNode, ...KnownNode[]], options: PoolOptions): ChainNode {
  const [only] = nodes;
  if (nodes.length === 1 && isEveryHeight(only.heights)) return only.node;
  let turns = 0;

  function choose(call: NodeCall, except?: KnownNode): KnownNode | undefined {
    const digits = requestedHeight(call.metadata);
    const height = digits === undefined ? undefined : BigInt(digits);
    const able = nodes.filter((node) => node !== except && covers(node.heights, height));
    const chosen = chooseNode(able, digits === undefined ? undefined : Number(digits), options);
    turns += 1;
    if (chosen !== undefined) chosen.turn = turns;
    return chosen;
  }

  return {
    async call(call) {
      const first = choose(call);
      if (first === undefined) throw notServed(call, nodes);
      const startedAt = options.now();
      try {
        return await first.call(call);
      } catch (failure) {
        const timeoutMs = call.timeoutMs - (options.now() - startedAt);
        const isOver = call.isOnce === true || timeoutMs <= 0 || call.signal.aborted;
        const other = isOver || !isWorthAnotherNode(failure) ? undefined : choose(call, first);
        if (other === undefined) throw failure;
        options.onRetry?.();
        return other.call({ ...call, timeoutMs });
      }
    },
    stream(call) {
      const chosen = choose(call);
      return chosen === undefined ? failedStream(notServed(call, nodes)) : chosen.stream(call);
    },
    close() {
      for (const { node } of nodes) node.close();
    },
  };
}

function isWorthAnotherNode(failure: unknown): boolean {
  return failure instanceof NodeFailure && failure.code === GRPC_CODES.unavailable;
}

function notServed(call: NodeCall, nodes: readonly KnownNode[]): NodeFailure {
  const digits = requestedHeight(call.metadata);
  const served = nodes.map(({ heights }) => printRange(heights)).join(', ');
  const what = digits === undefined ? 'the latest height' : `height ${digits}`;
  return new NodeFailure(GRPC_CODES.outOfRange, `No chain node here has ${what}. Served are: ${served}.`);
}
