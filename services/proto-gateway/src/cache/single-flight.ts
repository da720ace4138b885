import { type CancelSignal, NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { Cancellation } from '../nodes/cancellation.js';
import { type ChainNode, keyOfCall, type NodeCall, type NodeReply } from '../nodes/chain-node.js';

/** A running call and its callers. */
interface Running {
  readonly cancellation: Cancellation;
  waiters: Waiter[];
}

/** Failures that depend on the first caller's deadline: later callers retry on their own. */
const OF_FIRST_CALLER: ReadonlySet<number> = new Set([GRPC_CODES.deadlineExceeded, GRPC_CODES.cancelled]);

/**
 * Lets identical concurrent calls share one call to the node. Each caller keeps its own deadline and cancellation: the shared
 * call is cancelled when the last caller has left. If it ends early because the first caller had less time, callers with more
 * time call on their own. Only for queries. The `SingleFlight` of `@mlango/async` has neither deadlines nor cancellation: its
 * callers wait for the end of the shared work.
 *
 * @param now milliseconds of a monotonic clock
 * @param onShared called for each call that joins a running one
 */
export function singleFlight(node: ChainNode, now: () => number, onShared: () => void = () => {}): ChainNode {
  const running = new CompactingMap<Running>();

  function begin(key: string, call: NodeCall): Running {
    const begun: Running = { cancellation: new Cancellation(), waiters: NO_WAITERS };
    running.set(key, begun);
    const end = (): readonly Waiter[] => {
      if (running.get(key) === begun) running.delete(key);
      const { waiters } = begun;
      begun.waiters = NO_WAITERS;
      return waiters;
    };
    const { path, request, metadata, timeoutMs, atLeast, mustNotRetry, address } = call;
    node
      .call({
        path,
        request,
        metadata,
        timeoutMs,
        atLeast,
        mustNotRetry,
        address,
        signal: begun.cancellation,
      })
      .then(
        (reply) => {
          const waiters = end();
          const shared = waiters.length > 1 ? { ...reply, bodies: new Map() } : reply;
          for (const waiter of waiters) waiter.done(shared);
        },
        (failure: unknown) => {
          for (const waiter of end()) waiter.failed(failure);
        },
      );
    return begun;
  }

  async function join(joined: Running, call: NodeCall): Promise<NodeReply> {
    const startedAt = now();
    const late = deadlineFailure();
    try {
      return await waitFor(joined, call, late);
    } catch (failure) {
      const timeoutMs = call.timeoutMs - (now() - startedAt);
      const isOver = failure === late || call.signal.aborted || timeoutMs <= 0;
      if (isOver || !(failure instanceof NodeFailure) || !OF_FIRST_CALLER.has(failure.code)) throw failure;
      return node.call({ ...call, timeoutMs });
    }
  }

  return {
    call(call) {
      if (call.signal.aborted) return node.call(call);
      const { text } = keyOfCall(call);
      // A call without this minimum may be at a node below it.
      const key = call.atLeast === undefined ? text : `${text}\n${call.atLeast}`;
      const joined = running.get(key);
      if (joined === undefined) return waitFor(begin(key, call), call, undefined);
      onShared();
      return join(joined, call);
    },
    stream: (call) => node.stream(call),
    close: () => node.close(),
  };
}

/** Waits for a shared call until it ends or the caller leaves. @param late the failure at the caller's deadline, if it has one */
function waitFor(running: Running, call: NodeCall, late: NodeFailure | undefined): Promise<NodeReply> {
  return new Promise<NodeReply>((resolve, reject) => {
    const waiter = new Waiter(running, call.signal, resolve, reject);
    if (running.waiters === NO_WAITERS) running.waiters = [waiter];
    else running.waiters.push(waiter);
    if (late !== undefined) waiter.leaveAfter(call.timeoutMs, late);
  });
}

/** Shared by running calls without waiters; never modified. */
const NO_WAITERS: Waiter[] = [];

/** One caller of a shared call. */
class Waiter {
  readonly #running: Running;
  readonly #signal: CancelSignal;
  readonly #resolve: (reply: NodeReply) => void;
  readonly #reject: (failure: unknown) => void;
  readonly #cancel = (): void => this.#leave(cancelled());
  #timer: NodeJS.Timeout | undefined;

  constructor(
    running: Running,
    signal: CancelSignal,
    resolve: (reply: NodeReply) => void,
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

  done(reply: NodeReply): void {
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
  return new NodeFailure(GRPC_CODES.deadlineExceeded, 'the deadline of this caller has passed', {
    fromTransport: true,
  });
}

function cancelled(): NodeFailure {
  return new NodeFailure(GRPC_CODES.cancelled, 'the caller left', { fromTransport: true });
}

/** Deletions after which the map is replaced at the earliest. */
const MIN_DELETED = 256;

/**
 * A map for short-lived values. V8 links a map's old tables to its new ones when it rehashes after deletions, so one uncollected
 * table retains all values since. Replacing the map cuts this chain.
 */
export class CompactingMap<V> {
  #entries = new Map<string, V>();
  #deletions = 0;

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#deletions += 1;
    if (this.#deletions < Math.max(MIN_DELETED, this.#entries.size)) return;
    this.#entries = new Map(this.#entries);
    this.#deletions = 0;
  }
}
