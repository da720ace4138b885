import type { CancelSignal } from '../channel.js';
import type { Connection } from '../http2/connection.js';
import type { HeaderBlock } from '../http2/hpack-encoder.js';
import type { Stream } from '../http2/stream.js';
import type { Metadata } from '../metadata.js';
import type { NodeFailure } from '../node-failure.js';
import type { ByteAllowance } from '../node-options.js';
import type { HasDeadline } from './deadlines.js';
import { cancelledFailure, lateFailure, unavailableFailure } from './failures.js';
import { type CallEvents, type ExchangeOwner, GrpcExchange } from './grpc-exchange.js';
import { writeCallHeaders } from './grpc-headers.js';
import { frameMessage, MessageReader } from './message-reader.js';
import type { NodeLink, Waiter } from './node-link.js';

/** A call that is ready to be sent. */
export interface OutgoingCall {
  readonly link: NodeLink;
  readonly limitBytes: number;
  /** The budget for the bytes of incomplete replies. */
  readonly replyBytes?: ByteAllowance | undefined;
  /** The headers of all calls of the method, encoded. */
  readonly method: Uint8Array;
  readonly metadata: Metadata;
  /** Buffer for headers that are sent at once. */
  readonly headers: HeaderBlock;
  readonly request: Uint8Array;
  readonly timeoutMs: number;
  readonly signal?: CancelSignal | undefined;
}

/**
 * A pending call: it waits for a connection, is sent, and ends once, with its reply, its deadline or its caller's abort. A call
 * that the node did not process is retried once; `pool/node-pool.ts` retries it at another node.
 */
export class Http2Call implements Waiter, ExchangeOwner, HasDeadline {
  readonly #call: OutgoingCall;
  readonly #events: CallEvents;
  readonly endsAtMs: number;
  index = 0;
  readonly #onAbort = (): void => this.#end(cancelledFailure());
  #connection: Connection | undefined;
  #stream: Stream | undefined;
  #exchange: GrpcExchange | undefined;
  #isRetry = false;
  #isOver = false;
  /** Unread bytes of messages, for streams with slow readers. */
  #unread = 0;
  #isHeld = false;

  constructor(call: OutgoingCall, events: CallEvents) {
    this.#call = call;
    this.#events = events;
    this.endsAtMs = call.link.now() + call.timeoutMs;
    call.link.deadlines.add(this);
    call.signal?.addEventListener('abort', this.#onAbort);
    call.link.join(this);
  }

  start(connection: Connection): void {
    if (this.#isOver) return;
    const { link, headers, method, metadata, request, limitBytes, replyBytes } = this.#call;
    this.#exchange = new GrpcExchange(this, new MessageReader(limitBytes, replyBytes));
    // The node gets the remaining time: a call may have waited for its connection.
    writeCallHeaders(headers, method, metadata, this.endsAtMs - link.now());
    this.#stream = connection.open(headers, frameMessage(request), this.#exchange);
    if (this.#stream === undefined) this.#call.link.join(this);
    else this.#connection = connection;
  }

  late(): void {
    this.#end(lateFailure());
  }

  giveUp(reason: string): void {
    this.#end(unavailableFailure(reason));
  }

  /** Cancels the call because its reader has left. No event follows. */
  cancel(): void {
    if (this.#isOver) return;
    this.#finish();
    this.abandon();
  }

  /** While a call is held, the node sends no more than a window of the stream. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.used(0);
  }

  headers(metadata: Metadata): void {
    this.#events.headers(metadata);
  }

  message(message: Uint8Array): void {
    this.#events.message(message);
  }

  done(trailers: Metadata): void {
    this.#finish();
    this.#events.done(trailers);
  }

  used(bytes: number): void {
    this.#unread += bytes;
    if (this.#isHeld || this.#unread === 0) return;
    if (this.#stream !== undefined) this.#connection?.consume(this.#stream, this.#unread);
    this.#unread = 0;
  }

  failed(failure: NodeFailure, isUnprocessed: boolean): void {
    if (this.#isOver) return;
    if (isUnprocessed && !this.#isRetry) {
      this.#isRetry = true;
      this.#exchange?.release();
      this.#stream = undefined;
      this.#call.link.join(this);
      return;
    }
    this.#finish();
    this.#events.failed(failure, isUnprocessed);
  }

  #end(failure: NodeFailure): void {
    if (this.#isOver) return;
    this.#finish();
    this.abandon();
    this.#events.failed(failure, false);
  }

  #finish(): void {
    this.#isOver = true;
    this.#exchange?.release();
    const { link, signal } = this.#call;
    link.deadlines.delete(this);
    signal?.removeEventListener('abort', this.#onAbort);
    link.leave(this);
  }

  abandon(): void {
    if (this.#stream !== undefined) this.#connection?.cancel(this.#stream);
  }
}
