import type { Metadata } from '../../transcoding/metadata.js';
import { type NodeCall, type NodeFailure, NodeFailure as NodeFailureError, type NodeStream } from '../chain-node.js';
import { cancelledFailure } from './failures.js';
import { LeanCall, type LeanCallOptions } from './lean-call.js';

type End = { readonly failure: NodeFailure | undefined };

/** A call with messages for a reply. A reader that is slow makes the node wait. */
export function streamCall(call: NodeCall, options: LeanCallOptions): NodeStream {
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
  if (call.signal.aborted) {
    end = { failure: cancelledFailure() };
    failHeaders(cancelledFailure());
    return { headers, messages: read() };
  }
  const running = new LeanCall(call, options, {
    headers: (metadata) => tellHeaders(metadata),
    message: (message) => {
      unread.push(message);
      running.hold(true);
      wake();
    },
    done: () => {
      end = { failure: undefined };
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

  async function* read(): AsyncIterable<Uint8Array> {
    try {
      for (;;) {
        const message = unread.shift();
        if (message !== undefined) {
          yield message;
          continue;
        }
        if (end !== undefined) {
          if (end.failure instanceof NodeFailureError) throw end.failure;
          return;
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
