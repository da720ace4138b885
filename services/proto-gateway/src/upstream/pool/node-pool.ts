import { failedStream, LaterFailure, NodeFailure, type Reply } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { requestedHeight } from '../call-key.js';
import type { ChainNode, NodeCall } from '../chain-node.js';
import { covers, printRange } from '../node-target.js';
import { replyHeight } from '../reply-height.js';
import { type ChoiceRules, chooseNode } from './choose-node.js';
import type { KnownNode } from './known-node.js';
import { untilReached } from './until-reached.js';

export interface PoolOptions extends ChoiceRules {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Told of each call that is made once more. */
  readonly onRetry?: () => void;
}

/** Two looks at the nodes: time enough for a block that another gateway has seen already. */
const BLOCK_WAIT_MS = 2000;

/**
 * Several nodes as one. Each is asked only for heights it has: old blocks go to archive nodes, the latest one never goes to
 * a node whose range has an end or that lags behind. A height that none has fails with code 11.
 *
 * A call with a minimum goes to a node that is known to have that block. While none is, it waits for a short time, and then
 * fails with a `LaterFailure`, as does one whose reply tells an older block after all.
 *
 * A call that a node was not there for goes once more, to another live one, with what is left of its time. Queries change
 * nothing, so asking twice is safe. Calls that may, and streams, are not made twice; nor do streams wait.
 */
export function nodePool(nodes: readonly [KnownNode, ...KnownNode[]], options: PoolOptions): ChainNode {
  let turns = 0;

  function choose(call: NodeCall, except?: KnownNode): KnownNode | undefined {
    const digits = requestedHeight(call.metadata);
    const height = digits === undefined ? undefined : BigInt(digits);
    const able = nodes.filter(
      (node) =>
        node !== except &&
        covers(node.heights, height) &&
        (call.atLeast === undefined || node.hasReached(call.atLeast)),
    );
    const chosen = chooseNode(able, digits === undefined ? undefined : Number(digits), options);
    turns += 1;
    if (chosen !== undefined) chosen.turn = turns;
    return chosen;
  }

  async function chooseInTime(call: NodeCall): Promise<KnownNode | undefined> {
    if (call.atLeast === undefined) return undefined;
    const timeoutMs = Math.min(BLOCK_WAIT_MS, call.timeoutMs);
    const recent = nodes.filter(({ heights }) => covers(heights, undefined));
    await untilReached(recent, call.atLeast, { timeoutMs, signal: call.signal });
    return choose(call);
  }

  return {
    async call(call) {
      const startedAt = options.now();
      const first = choose(call) ?? (await chooseInTime(call));
      if (first === undefined) throw notServed(call, nodes);
      const inTime = (): NodeCall => ({ ...call, timeoutMs: call.timeoutMs - (options.now() - startedAt) });
      try {
        return notOlder(await first.call(call.atLeast === undefined ? call : inTime()), call);
      } catch (failure) {
        const again = inTime();
        const isOver = call.isOnce === true || again.timeoutMs <= 0 || call.signal.aborted;
        const other = isOver || !isWorthAnotherNode(failure) ? undefined : choose(call, first);
        if (other === undefined) throw failure;
        options.onRetry?.();
        return notOlder(await other.call(again), call);
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

/** Behind one address there may be several nodes. What a call has changed is said all the same. */
function notOlder(reply: Reply, { atLeast, isOnce }: NodeCall): Reply {
  if (atLeast === undefined || isOnce === true || Number(replyHeight(reply) ?? atLeast) >= atLeast) return reply;
  throw notReached(atLeast);
}

function notReached(atLeast: number): NodeFailure {
  return new LaterFailure(GRPC_CODES.unavailable, `No chain node here is known to have block ${atLeast} yet`);
}

function notServed(call: NodeCall, nodes: readonly KnownNode[]): NodeFailure {
  if (call.signal.aborted) return new NodeFailure(GRPC_CODES.cancelled, 'the caller left', { fromTransport: true });
  if (call.atLeast !== undefined) return notReached(call.atLeast);
  const digits = requestedHeight(call.metadata);
  const served = nodes.map(({ heights }) => printRange(heights)).join(', ');
  const what = digits === undefined ? 'the latest height' : `height ${digits}`;
  return new NodeFailure(GRPC_CODES.outOfRange, `No chain node here has ${what}. Served are: ${served}.`);
}
