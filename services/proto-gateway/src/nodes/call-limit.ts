import type { FairSemaphore, Permit } from '@mlango/async/fair-semaphore';
import { BusyError, failedStream, type ReplyStream } from '@mlango/grpc-channel';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { ChainNode, NodeCall } from './chain-node.js';

export interface CallObserver {
  /** Duration of a unary call. */
  readonly onDuration: (seconds: number) => void;
}

/** The holder of the gateway's own calls. */
const OWN = 'gateway';

/**
 * Takes a permit of a pool for each call and stream, by the address of its caller; beyond a share or the total they fail at once with a
 * `BusyError`, since a queue would only grow while the node is slow.
 */
export function limitCalls(node: ChainNode, pool: FairSemaphore<'address'>, { onDuration }: CallObserver): ChainNode {
  const permitFor = ({ address = OWN }: NodeCall): Permit | undefined => {
    const taken = pool.tryAcquire({ address });
    return 'full' in taken ? undefined : taken;
  };

  return {
    call(call) {
      const permit = permitFor(call);
      if (permit === undefined) return Promise.reject(new BusyError('queries run'));
      const begunMs = performance.now();
      const called = node.call(call);
      const end = (): void => {
        permit.release();
        onDuration((performance.now() - begunMs) / 1000);
      };
      called.then(end, end);
      return called;
    },
    stream(call) {
      const permit = permitFor(call);
      if (permit === undefined) return failedStream(new BusyError('queries run'));
      const end = (): void => permit.release();
      // A reader that never starts, or stops without a cancel, has left its call.
      call.signal.addEventListener('abort', end, { once: true });
      const { headers, messages } = node.stream(call);
      headers.catch(end);
      return { headers, messages: untilOver(messages, end) };
    },
    close: () => node.close(),
  };
}

async function* untilOver(messages: ReplyStream['messages'], end: () => void): AsyncGenerator<Uint8Array, Metadata> {
  try {
    return yield* messages;
  } finally {
    end();
  }
}
