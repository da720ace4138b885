import { NodeFailure, type Reply } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { keyOfCall } from './call-key.js';
import { Cancellation } from './cancellation.js';
import type { ChainNode, NodeCall } from './chain-node.js';

interface Running {
  readonly reply: Promise<Reply>;
  readonly cancellation: Cancellation;
  waiting: number;
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
export function shareCalls(node: ChainNode, now: () => number, onShared: () => void = () => {}): ChainNode {
  const running = new Map<string, Running>();

  function begin(key: string, call: NodeCall): Running {
    const cancellation = new Cancellation();
    const reply = node.call({ ...call, signal: cancellation }).finally(() => {
      if (running.get(key) === begun) running.delete(key);
    });
    const begun: Running = { reply, cancellation, waiting: 0 };
    running.set(key, begun);
    return begun;
  }

  return {
    async call(call) {
      if (call.signal.aborted) return node.call(call);
      // A call under way may be with a node that is behind what this caller has seen.
      const key = `${keyOfCall(call).text}\n${call.atLeast ?? ''}`;
      const joined = running.get(key);
      if (joined === undefined) return waitFor(begin(key, call), call, undefined);
      onShared();
      const startedAt = now();
      const late = lateFailure();
      try {
        return await waitFor(joined, call, late);
      } catch (failure) {
        const timeoutMs = call.timeoutMs - (now() - startedAt);
        const isOver = failure === late || call.signal.aborted || timeoutMs <= 0;
        if (isOver || !(failure instanceof NodeFailure) || !ENDED_FOR_OTHERS.has(failure.code)) throw failure;
        return node.call({ ...call, timeoutMs });
      }
    },
    stream: (call) => node.stream(call),
    close: () => node.close(),
  };
}

/** Waits for a shared call until it ends, the caller leaves, or, when it has `late` to say, its time is over. */
function waitFor(running: Running, { signal, timeoutMs }: NodeCall, late: NodeFailure | undefined): Promise<Reply> {
  running.waiting += 1;
  return new Promise<Reply>((resolve, reject) => {
    let isOver = false;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      running.waiting -= 1;
      settle();
    };
    const leave = (failure: NodeFailure): void =>
      end(() => {
        reject(failure);
        if (running.waiting === 0) running.cancellation.abort();
      });
    const cancel = (): void => leave(cancelled());
    const timer = late === undefined ? undefined : setTimeout(() => leave(late), timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    // A failure is passed on with the promise that has it.
    const settle = (): void => end(() => resolve(running.reply));
    running.reply.then(settle, settle);
  });
}

function lateFailure(): NodeFailure {
  return new NodeFailure(GRPC_CODES.deadlineExceeded, 'the time of this caller is over', { fromTransport: true });
}

function cancelled(): NodeFailure {
  return new NodeFailure(GRPC_CODES.cancelled, 'the caller left', { fromTransport: true });
}
