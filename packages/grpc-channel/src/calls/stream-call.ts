import type { ReplyStream } from '../channel.js';
import type { Metadata } from '../metadata.js';
import type { NodeFailure } from '../node-failure.js';
import { cancelledFailure } from './failures.js';
import { LeanCall, type OutgoingCall } from './lean-call.js';

type End = { readonly failure: NodeFailure } | { readonly trailers: Metadata };

/** A call with messages for a reply. A reader that is slow makes the node wait. */
export function streamCall(call: OutgoingCall): ReplyStream {
  const unread: Uint8Array[] = [];
  let end: End | undefined;
  let wake = (): void => {};
  let tellHeaders: (metadata: Metadata) => void = () => {};
  let failHeaders: (failure: NodeFailure) => void = () => {};
  const headers = new Promise<Metadata>((resolve, reject) => {
    tellHeaders = resolve;
    failHeaders = reject;
  });
  // A caller that goes straight to the messages meets the failure there.
  headers.catch(() => undefined);
  if (call.signal?.aborted === true) {
    end = { failure: cancelledFailure() };
    failHeaders(cancelledFailure());
    return { headers, messages: read() };
  }
  const running = new LeanCall(call, {
    headers: (metadata) => tellHeaders(metadata),
    message: (message) => {
      unread.push(message);
      running.hold(true);
      wake();
    },
    done: (trailers) => {
      end = { trailers };
      tellHeaders([]);
      wake();
    },
    failed: (failure) => {
      end = { failure };
      failHeaders(failure);
      wake();
    },
  });
  return { headers, messages: read() };

  async function* read(): AsyncGenerator<Uint8Array, Metadata> {
    try {
      for (;;) {
        const message = unread.shift();
        if (message !== undefined) {
          yield message;
          continue;
        }
        if (end !== undefined) {
          if ('failure' in end) throw end.failure;
          return end.trailers;
        }
        running.hold(false);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      running?.cancel();
    }
  }
}
