import { NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';

/**
 * The messages of a stream, which fails with code 4 when the next one does not come within `idleMs`.
 *
 * @param cancel ends the call behind it: a source that waits for its next message hears nothing else
 */
export function endWhenIdle(
  messages: AsyncIterator<Uint8Array, Metadata>,
  idleMs: number,
  cancel: () => void,
): AsyncIterator<Uint8Array, Metadata> {
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(
            new NodeFailure(GRPC_CODES.deadlineExceeded, `nothing came for ${idleMs} ms`, { fromTransport: true }),
          );
          cancel();
        }, idleMs);
        const settled = messages.next().finally(() => clearTimeout(timer));
        settled.then(resolve, reject);
      }),
    async return() {
      cancel();
      return { done: true, value: [] };
    },
  };
}
