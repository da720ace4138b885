import type { Metadata } from '@mlango/transcoder/metadata';
import { Cancellation } from '../nodes/cancellation.js';
import type { ChainNode, NodeCall } from '../nodes/chain-node.js';
import { endWhenIdle } from './end-when-idle.js';

export interface StreamSource {
  readonly node: ChainNode;
  /** How long nothing may come, in ms. Time in which the reader of the stream takes nothing does not count. */
  readonly streamIdleMs: number;
}

/** A stream whose first message, or whose end, is there. */
export interface BegunStream {
  readonly headers: Metadata;
  readonly first: IteratorResult<Uint8Array, Metadata>;
  /** What comes after it. Its `return` cancels the call. */
  readonly rest: AsyncIterator<Uint8Array, Metadata>;
}

/** Calls for a stream and waits for its first message. Rejects where the call fails before it. */
export async function beginStream({ node, streamIdleMs }: StreamSource, call: NodeCall): Promise<BegunStream> {
  const cancellation = new Cancellation();
  const cancel = (): void => cancellation.abort();
  if (call.signal.aborted) cancel();
  call.signal.addEventListener('abort', cancel, { once: true });
  const running = node.stream({ ...call, signal: cancellation });
  const rest = endWhenIdle(running.messages[Symbol.asyncIterator](), streamIdleMs, cancel);
  const first = await rest.next();
  return { headers: await running.headers, first, rest };
}
