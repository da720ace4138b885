import { CALL_TIMEOUT_MS, type CallOptions, type Channel, failedStream, type Reply } from '../channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import { RetryLaterError } from '../retry-later-error.js';
import { chooseNode } from './choose-node.js';
import type { KnownNode } from './known-node.js';
import { covers, type Positions, printRange } from './positions.js';
import { waitForPosition } from './wait-for-position.js';

export interface PoolOptions {
  readonly positions?: Positions | undefined;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Called for each retried call. */
  readonly onRetry?: (() => void) | undefined;
}

/** A call as it was made. */
interface MadeCall {
  readonly path: string;
  readonly request: Uint8Array;
  readonly call: CallOptions;
  readonly startedAt: number;
}

/**
 * A pool of nodes. Calls go only to nodes that have the position: old positions to nodes with that range, the newest to nodes
 * with an open end and without lag. A position of no node fails with code 11.
 * A call with a minimum goes to a node known to have that position. Otherwise it waits for a short time and then fails with a
 * `RetryLaterError`, as does one with an older reply.
 * A call to an unavailable node is retried once at another live node, within its time, unless it is marked as not repeatable.
 * Streams are not retried and do not wait.
 */
export function nodePool(nodes: readonly KnownNode[], options: PoolOptions): Channel {
  const { positions, random, now } = options;
  const rules = { maxLag: positions?.maxLag ?? Number.POSITIVE_INFINITY, random };
  const name = positions?.name ?? 'position';
  let turns = 0;

  function choose({ at, atLeast }: CallOptions, except?: KnownNode): KnownNode | undefined {
    const able: KnownNode[] = [];
    for (const node of nodes) {
      if (node === except || !covers(node.range, at)) continue;
      if (atLeast === undefined || node.hasReached(atLeast)) able.push(node);
    }
    const chosen = able.length < 2 ? able[0] : chooseNode(able, at === undefined ? undefined : Number(at), rules);
    turns += 1;
    if (chosen !== undefined) chosen.lastCallNumber = turns;
    return chosen;
  }

  async function chooseInTime(call: CallOptions): Promise<KnownNode | undefined> {
    if (call.atLeast === undefined) return undefined;
    const recent = nodes.filter(({ range }) => covers(range, undefined));
    await waitForPosition(recent, call.atLeast, call);
    return choose(call);
  }

  /** One address may have several nodes. The reply to a call with effects is returned regardless. */
  function notOlder(reply: Reply, { atLeast, mustNotRetry }: CallOptions): Reply {
    if (atLeast === undefined || mustNotRetry === true) return reply;
    const position = positions?.ofReply(reply.headers) ?? positions?.ofReply(reply.trailers) ?? atLeast;
    if (position >= atLeast) return reply;
    throw notReached(atLeast);
  }

  function notReached(atLeast: number): NodeFailure {
    return new RetryLaterError(GRPC_CODES.unavailable, `No node here is known to have ${name} ${atLeast} yet`);
  }

  function notServed({ at, atLeast, signal }: CallOptions): NodeFailure {
    if (signal?.aborted === true)
      return new NodeFailure(GRPC_CODES.cancelled, 'the caller left', { fromTransport: true });
    if (atLeast !== undefined) return notReached(atLeast);
    const served = nodes.map(({ range }) => printRange(range)).join(', ');
    const what = at === undefined ? `the latest ${name}` : `${name} ${at}`;
    return new NodeFailure(GRPC_CODES.outOfRange, `No node here has ${what}. Served are: ${served}.`);
  }

  function inTime(call: CallOptions, startedAt: number): CallOptions & { readonly timeoutMs: number } {
    return { ...call, timeoutMs: (call.timeoutMs ?? CALL_TIMEOUT_MS) - (now() - startedAt) };
  }

  /** Retries a call at another node. */
  async function retry(made: MadeCall, called: KnownNode, failure: unknown): Promise<Reply> {
    const { path, request, call, startedAt } = made;
    const left = inTime(call, startedAt);
    const isOver = call.mustNotRetry === true || left.timeoutMs <= 0 || call.signal?.aborted === true;
    const other = isOver || !isWorthAnotherNode(failure) ? undefined : choose(call, called);
    if (other === undefined) throw failure;
    options.onRetry?.();
    return notOlder(await other.unary(path, request, left), call);
  }

  async function callInTime(made: MadeCall, chosen: KnownNode | undefined): Promise<Reply> {
    const { path, request, call, startedAt } = made;
    const called = chosen ?? (await chooseInTime(call));
    if (called === undefined) throw notServed(call);
    try {
      return notOlder(await called.unary(path, request, inTime(call, startedAt)), call);
    } catch (failure) {
      return retry(made, called, failure);
    }
  }

  return {
    unary(path, request, call = {}) {
      const startedAt = now();
      const made = { path, request, call, startedAt };
      const first = choose(call);
      // Most calls wait for no position, and each promise between the pool and the node would cost them.
      if (first === undefined || call.atLeast !== undefined) return callInTime(made, first);
      return first.unary(path, request, call, (failure) => retry(made, first, failure), startedAt);
    },
    stream(path, request, call = {}) {
      const chosen = choose(call);
      return chosen === undefined ? failedStream(notServed(call)) : chosen.stream(path, request, call);
    },
    close() {
      for (const { channel } of nodes) channel.close();
    },
  };
}

function isWorthAnotherNode(failure: unknown): boolean {
  return failure instanceof NodeFailure && failure.code === GRPC_CODES.unavailable;
}
