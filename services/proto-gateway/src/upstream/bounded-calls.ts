import { BusyFailure, failedStream, type ReplyStream } from '@mlango/grpc-channel';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { ChainNode } from './chain-node.js';

export interface CallsSeen {
  /** How many run, whenever that changes. */
  readonly onChange: (running: number) => void;
  /** How long a call took, streams apart. */
  readonly onTook: (seconds: number) => void;
}

/**
 * Lets no more than `maxCalls` calls and streams run at the same time; others fail at once with a `BusyFailure`, since a
 * queue would only grow while the node is slow.
 */
export function boundedCalls(node: ChainNode, maxCalls: number, { onChange, onTook }: CallsSeen): ChainNode {
  let running = 0;
  const count = (change: 1 | -1): void => {
    running += change;
    onChange(running);
  };

  return {
    call(call) {
      if (running >= maxCalls) return Promise.reject(new BusyFailure('queries run'));
      const begunMs = performance.now();
      const called = node.call(call);
      count(1);
      const end = (): void => {
        count(-1);
        onTook((performance.now() - begunMs) / 1000);
      };
      called.then(end, end);
      return called;
    },
    stream(call) {
      if (running >= maxCalls) return failedStream(new BusyFailure('queries run'));
      count(1);
      let isOver = false;
      const end = (): void => {
        if (!isOver) count(-1);
        isOver = true;
      };
      // A reader that never begins, or stops without a word, has left its call.
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
