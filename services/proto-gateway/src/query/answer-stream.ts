import type { FileRegistry } from '@bufbuild/protobuf';
import type { Route } from '../catalog/route-table.js';
import { GRPC_CODES } from '../transcoding/grpc-status.js';
import type { JsonWriters } from '../transcoding/json-writer.js';
import { toReplyHeaders } from '../transcoding/metadata.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { ChainNode, NodeCall } from '../upstream/chain-node.js';
import { type Answer, errorAnswer } from './answer.js';
import { describeFailure } from './describe-failure.js';
import { endWhenIdle } from './end-when-idle.js';

/** A line of JSON for each message, or server-sent events. */
export type StreamForm = 'ndjson' | 'sse';

export interface StreamOptions {
  readonly node: ChainNode;
  readonly registry: FileRegistry;
  /** How long nothing may come, in ms. Time in which the reader of the stream takes nothing does not count. */
  readonly streamIdleMs: number;
}

/**
 * Answers with a stream: `{"result":…}` for each message, and `{"error":…}` as the last when it breaks. A call that
 * fails before its first message is an ordinary error with its HTTP status.
 */
export async function answerStream(
  { node, registry, streamIdleMs }: StreamOptions,
  route: Route,
  call: NodeCall,
  write: (bytes: Uint8Array) => string,
  form: StreamForm,
  writers: JsonWriters,
): Promise<Answer> {
  const cancellation = new Cancellation();
  const cancel = (): void => cancellation.abort();
  if (call.signal.aborted) cancel();
  call.signal.addEventListener('abort', cancel, { once: true });
  const running = node.stream({ ...call, signal: cancellation });
  const messages = endWhenIdle(running.messages[Symbol.asyncIterator](), streamIdleMs, cancel);
  const failed = (failure: unknown) => describeFailure(failure, route.rpcName, writers, registry);
  try {
    const first = await messages.next();
    const headers = toReplyHeaders(await running.headers);
    const body = frames(first, messages, write, form, failed);
    const contentType = form === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/x-ndjson; charset=utf-8';
    return { status: 200, contentType, headers, body, code: GRPC_CODES.ok };
  } catch (failure) {
    const { status, metadata } = failed(failure);
    return { ...errorAnswer(status, metadata), failure };
  }
}

async function* frames(
  first: IteratorResult<Uint8Array>,
  messages: AsyncIterator<Uint8Array>,
  write: (bytes: Uint8Array) => string,
  form: StreamForm,
  failed: (failure: unknown) => ReturnType<typeof describeFailure>,
): AsyncIterable<string> {
  const frame = (json: string): string => (form === 'sse' ? `data: ${json.replaceAll('\n', ' ')}\n\n` : `${json}\n`);
  try {
    for (let next = first; next.done !== true; next = await messages.next()) {
      yield frame(`{"result":${write(next.value)}}`);
    }
  } catch (failure) {
    yield frame(JSON.stringify({ error: failed(failure).status }));
  } finally {
    await messages.return?.();
  }
}
