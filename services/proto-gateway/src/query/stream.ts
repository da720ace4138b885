import { replyHeaders } from '@mlango/cosmos-rest/heights';
import { NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { type RawBody, rawReader } from '@mlango/transcoder/http-body';
import type { Metadata } from '@mlango/transcoder/metadata';
import { type Answer, errorAnswer, rawAnswer } from '../answers/answer.js';
import { type DescribeStatus, describeFailure, retryHeaders } from '../answers/describe-failure.js';
import type { Route } from '../catalog/routes.js';
import { Cancellation } from '../nodes/cancellation.js';
import type { ChainNode, NodeCall } from '../nodes/chain-node.js';

/** A line of JSON for each message, or server-sent events. */
export type StreamForm = 'ndjson' | 'sse';

/**
 * Answers with a stream: `{"result":…}` per message, and a final `{"error":…}` if it breaks. A call that fails before its first
 * message is an ordinary error. HttpBody messages are concatenated.
 */
export async function answerStream(
  source: StreamSource,
  route: Route,
  call: NodeCall,
  write: (bytes: Uint8Array) => string,
  form: StreamForm,
  describe: DescribeStatus,
): Promise<Answer> {
  const failed = (failure: unknown) => describeFailure(failure, route.rpcName, describe);
  try {
    const begun = await beginStream(source, call);
    const headers = replyHeaders(begun.headers);
    const raw = rawReader(route);
    if (raw !== undefined) {
      const first = raw(begun.first.done === true ? NOTHING : begun.first.value);
      return { ...rawAnswer(first, headers), body: parts(begun, raw) };
    }
    const body = frames(begun, write, form, failed);
    const contentType = form === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/x-ndjson; charset=utf-8';
    return { status: 200, contentType, headers, body, code: GRPC_CODES.ok };
  } catch (failure) {
    const { status, metadata } = failed(failure);
    return { ...errorAnswer(status, metadata, retryHeaders(failure)), failure };
  }
}

const NOTHING = new Uint8Array();

/** The data of each message. A failure ends the body abruptly, since raw data cannot carry it. */
async function* parts({ first, rest }: BegunStream, raw: (message: Uint8Array) => RawBody): AsyncIterable<Buffer> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield Buffer.from(raw(next.value).data);
  } finally {
    await rest.return?.();
  }
}

async function* frames(
  { first, rest }: BegunStream,
  write: (bytes: Uint8Array) => string,
  form: StreamForm,
  failed: (failure: unknown) => ReturnType<typeof describeFailure>,
): AsyncIterable<string> {
  const frame = (json: string): string => (form === 'sse' ? `data: ${json.replaceAll('\n', ' ')}\n\n` : `${json}\n`);
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      yield frame(`{"result":${write(next.value)}}`);
    }
  } catch (failure) {
    yield frame(JSON.stringify({ error: failed(failure).status }));
  } finally {
    await rest.return?.();
  }
}

export interface StreamSource {
  readonly node: ChainNode;
  /** Idle limit in ms. Time in which the reader of the stream is not ready does not count. */
  readonly streamIdleMs: number;
}

/** A stream with its first message or its end. */
export interface BegunStream {
  readonly headers: Metadata;
  readonly first: IteratorResult<Uint8Array, Metadata>;
  /** The following messages. Its `return` cancels the call. */
  readonly rest: AsyncIterator<Uint8Array, Metadata>;
}

/** Calls for a stream and waits for its first message. Rejects if the call fails before it. */
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

/**
 * The messages of a stream, which fails with code 4 when the next one does not arrive within `idleMs`.
 *
 * @param cancel ends the call of the stream: a source that waits for its next message cannot be ended otherwise
 */
function endWhenIdle(
  messages: AsyncIterator<Uint8Array, Metadata>,
  idleMs: number,
  cancel: () => void,
): AsyncIterator<Uint8Array, Metadata> {
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new NodeFailure(GRPC_CODES.deadlineExceeded, `no message for ${idleMs} ms`, { fromTransport: true }));
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
