import { type CancelSignal, NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { ChainNode } from '../../src/nodes/chain-node.js';

const LEAF_A = Uint8Array.of(10, 1, 97);
const LEAF_B = Uint8Array.of(10, 1, 98);

/** Two messages, then a failure. */
export async function* breaks() {
  yield LEAF_A;
  yield LEAF_B;
  throw new NodeFailure(GRPC_CODES.dataLoss, 'lost');
}

/** A message, then silence until the call is cancelled. */
export async function* goesOn(signal: CancelSignal) {
  yield LEAF_A;
  await new Promise<void>((resolve) => signal.addEventListener('abort', resolve));
  return [];
}

/** A node with streams only; `signals` has the signal of each call. */
export function streamOf(
  messages: (signal: CancelSignal) => AsyncGenerator<Uint8Array>,
  signals: CancelSignal[] = [],
): ChainNode {
  return {
    call: () => Promise.reject(new NodeFailure(GRPC_CODES.unimplemented, 'only streams here')),
    stream: ({ signal }) => {
      signals.push(signal);
      return { headers: Promise.resolve([]), messages: messages(signal) };
    },
    close() {},
  };
}
