import type { ReplyStream } from './channel.js';
import type { NodeFailure } from './node-failure.js';

/** A stream that was never begun: whoever reads any part of it meets the failure. */
export function failedStream(failure: NodeFailure): ReplyStream {
  const headers = Promise.reject<never>(failure);
  // A caller that goes straight to the messages meets the failure there.
  headers.catch(() => undefined);
  return { headers, messages: { [Symbol.asyncIterator]: () => ({ next: () => headers }) } };
}
