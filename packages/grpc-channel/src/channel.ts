import type { Metadata } from './metadata.js';
import type { NodeFailure } from './node-failure.js';

/** Signals that the caller no longer needs the reply. An `AbortSignal` is one. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface CallOptions {
  /** Default: none. */
  readonly metadata?: Metadata | undefined;
  /** Time for the whole call, including retries; default 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Aborted when the caller has left. */
  readonly signal?: CancelSignal | undefined;
  /** The call may have effects, so the pool must not retry it. */
  readonly mustNotRetry?: boolean | undefined;
  /** For nodes with a growing history: the requested position; omitted, the newest. */
  readonly at?: bigint | undefined;
  /** The minimum position of the reply, for calls at the newest position. */
  readonly atLeast?: number | undefined;
}

export const CALL_TIMEOUT_MS = 10_000;

export interface Reply {
  readonly message: Uint8Array;
  readonly headers: Metadata;
  readonly trailers: Metadata;
  /** The node that replied, `host:port`; set by channels of `createChannel`. */
  readonly target?: string | undefined;
}

export interface ReplyStream {
  /** Settles before the first message. Rejects with a `NodeFailure` when the call fails before any message. */
  readonly headers: Promise<Metadata>;
  /** Throws a `NodeFailure` if the stream breaks, and returns the trailers at its end. Leaving the loop cancels the call. */
  readonly messages: AsyncIterable<Uint8Array, Metadata>;
}

/**
 * A gRPC server, or a pool of them. Paths are those of methods, `/package.Service/Method`; messages are opaque protobuf bytes.
 * - Every call ends with a reply or a `NodeFailure`, at the latest at its deadline (code 4).
 * - An aborted call ends with code 1 and is cancelled at the node.
 * - Replies beyond the receive limit fail with `tooLarge`.
 * - Calls to an unreachable node fail with code 14: at once if that is known, else after a short connection timeout. Reconnects
 * continue, and calls succeed once it is reachable.
 */
export interface Channel {
  unary(path: string, request: Uint8Array, options?: CallOptions): Promise<Reply>;
  /** A call with messages for a reply. */
  stream(path: string, request: Uint8Array, options?: CallOptions): ReplyStream;
  /** Sends further calls over new connections; running calls continue on the old ones. */
  reconnect?(): void;
  /** Closes the connections; running calls fail. */
  close(): void;
}

/** A stream that failed before its start: headers and messages reject. */
export function failedStream(failure: NodeFailure): ReplyStream {
  const headers = Promise.reject<never>(failure);
  // A caller that reads only the messages gets the failure there.
  headers.catch(() => undefined);
  return { headers, messages: { [Symbol.asyncIterator]: () => ({ next: () => headers }) } };
}
