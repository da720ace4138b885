import { type CancelSignal, NodeFailure, type Reply } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { Cancellation } from '../nodes/cancellation.js';
import { type ChainNode, keyOfCall, type NodeCall } from '../nodes/chain-node.js';

/** A call under way, and who waits for it. */
interface Running {
  readonly cancellation: Cancellation;
  waiters: Waiter[];
}

/** A node whose calls are shared. */
export interface SingleFlight extends ChainNode {
  /** True for a reply that several were given. */
  readonly isShared: (reply: Reply) => boolean;
}

/** Why a shared call ended although the node might still answer one that waits longer. */
const ENDED_FOR_OTHERS: ReadonlySet<number> = new Set([GRPC_CODES.deadlineExceeded, GRPC_CODES.cancelled]);

/**
 * Lets identical calls that run at the same time share one call to the node. Everyone keeps a deadline and a way out of
 * their own: the call is cancelled when nobody waits for it any more, and when it ends early because the one who began
 * it had less time, those who have more go on by themselves. Only for queries: they change nothing.
 *
 * @param now milliseconds of a clock that never goes back
 * @param onShared told of each call that joins another one
 */
export function singleFlight(node: ChainNode, now: () => number, onShared: () => void = () => {}): SingleFlight {
  const running = new CompactingMap<Running>();
  const replies = new WeakSet<Reply>();

  function begin(key: string, call: NodeCall): Running {
    const begun: Running = { cancellation: new Cancellation(), waiters: NO_WAITERS };
    running.add(key, begun);
    const end = (): readonly Waiter[] => {
      if (running.find(key) === begun) running.forget(key);
      const { waiters } = begun;
      begun.waiters = NO_WAITERS;
      return waiters;
    };
    const { path, request, metadata, timeoutMs, atLeast, isOnce, address } = call;
    node.call({ path, request, metadata, timeoutMs, atLeast, isOnce, address, signal: begun.cancellation }).then(
      (reply) => {
        const waiters = end();
        if (waiters.length > 1) replies.add(reply);
        for (const waiter of waiters) waiter.done(reply);
      },
      (failure: unknown) => {
        for (const waiter of end()) waiter.failed(failure);
      },
    );
    return begun;
  }

  async function join(joined: Running, call: NodeCall): Promise<Reply> {
    const startedAt = now();
    const late = deadlineFailure();
    try {
      return await waitFor(joined, call, late);
    } catch (failure) {
      const timeoutMs = call.timeoutMs - (now() - startedAt);
      const isOver = failure === late || call.signal.aborted || timeoutMs <= 0;
      if (isOver || !(failure instanceof NodeFailure) || !ENDED_FOR_OTHERS.has(failure.code)) throw failure;
      return node.call({ ...call, timeoutMs });
    }
  }

  return {
    call(call) {
      if (call.signal.aborted) return node.call(call);
      const { text } = keyOfCall(call);
      // A call under way may be with a node that is behind what this caller has seen.
      const key = call.atLeast === undefined ? text : `${text}\n${call.atLeast}`;
      const joined = running.find(key);
      if (joined === undefined) return waitFor(begin(key, call), call, undefined);
      onShared();
      return join(joined, call);
    },
    isShared: (reply) => replies.has(reply),
    stream: (call) => node.stream(call),
    close: () => node.close(),
  };
}

/** Waits for a shared call until it ends, the caller leaves, or, when it has `late` to say, its time is over. */
function waitFor(running: Running, call: NodeCall, late: NodeFailure | undefined): Promise<Reply> {
  return new Promise<Reply>((resolve, reject) => {
    const waiter = new Waiter(running, call.signal, resolve, reject);
    if (running.waiters === NO_WAITERS) running.waiters = [waiter];
    else running.waiters.push(waiter);
    if (late !== undefined) waiter.leaveAfter(call.timeoutMs, late);
  });
}

/** Never pushed to. */
const NO_WAITERS: Waiter[] = [];

/** One who waits for a shared call. */
class Waiter {
  readonly #running: Running;
  readonly #signal: CancelSignal;
  readonly #resolve: (reply: Reply) => void;
  readonly #reject: (failure: unknown) => void;
  readonly #cancel = (): void => this.#leave(cancelled());
  #timer: NodeJS.Timeout | undefined;

  constructor(
    running: Running,
    signal: CancelSignal,
    resolve: (reply: Reply) => void,
    reject: (failure: unknown) => void,
  ) {
    this.#running = running;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#cancel, { once: true });
  }

  leaveAfter(timeoutMs: number, late: NodeFailure): void {
    this.#timer = setTimeout(() => this.#leave(late), timeoutMs);
  }

  done(reply: Reply): void {
    this.#end();
    this.#resolve(reply);
  }

  failed(failure: unknown): void {
    this.#end();
    this.#reject(failure);
  }

  #leave(failure: NodeFailure): void {
    const running = this.#running;
    running.waiters = running.waiters.filter((other) => other !== this);
    this.failed(failure);
    if (running.waiters.length === 0) running.cancellation.abort();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#cancel);
  }
}

function deadlineFailure(): NodeFailure {
  return new NodeFailure(GRPC_CODES.deadlineExceeded, 'the time of this caller is over', { fromTransport: true });
}

function cancelled(): NodeFailure {
  return new NodeFailure(GRPC_CODES.cancelled, 'the caller left', { fromTransport: true });
}

/** How many are forgotten at least before their map is. */
const MIN_DELETED = 256;

/**
 * Values that are there for a moment, by key. A map that forgets makes itself a new table now and then, to which the old one points; one old
 * table that waits to be collected then keeps all those after it, with what they held. So a map is put in its place before there are many.
 */
export class CompactingMap<V> {
  #entries = new Map<string, V>();
  #forgotten = 0;

  find(key: string): V | undefined {
    return this.#entries.get(key);
  }

  add(key: string, value: V): void {
    this.#entries.set(key, value);
  }

  forget(key: string): void {
    this.#entries.delete(key);
    this.#forgotten += 1;
    if (this.#forgotten < Math.max(MIN_DELETED, this.#entries.size)) return;
    this.#entries = new Map(this.#entries);
    this.#forgotten = 0;
  }
}
