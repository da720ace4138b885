import { GRPC_CODES, toGrpcCode } from '../grpc-code.js';
import type { Header } from '../http2/hpack-decoder.js';
import type { StreamBreak, StreamEvents } from '../http2/stream.js';
import type { Metadata } from '../metadata.js';
import { NodeFailure } from '../node-failure.js';
import { brokenFailure, brokenReply, httpFailure } from './failures.js';
import { findHeader, readMessageText, readMetadata } from './grpc-headers.js';
import type { MessageReader, MessageSink } from './message-reader.js';

/** Events of a call. `done` or `failed` is the last, once. */
export interface CallEvents {
  headers(metadata: Metadata): void;
  message(message: Uint8Array): void;
  done(trailers: Metadata): void;
  /** `isUnprocessed`: the node did not process the call, so that it can be repeated. */
  failed(failure: NodeFailure, isUnprocessed: boolean): void;
}

/** The call of an exchange. */
export interface ExchangeOwner extends CallEvents {
  /** This many bytes have arrived, and their messages were delivered. */
  used(bytes: number): void;
  /** No further data is useful: the stream can end. */
  abandon(): void;
}

/** Reads the data of one stream as the reply to one call. */
export class GrpcExchange implements StreamEvents, MessageSink {
  readonly #owner: ExchangeOwner;
  readonly #messages: MessageReader;
  #metadata: Metadata | undefined;
  #isOver = false;

  constructor(owner: ExchangeOwner, messages: MessageReader) {
    this.#owner = owner;
    this.#messages = messages;
  }

  headers(headers: readonly Header[], isLast: boolean): void {
    if (this.#isOver) return;
    if (this.#metadata !== undefined || isLast) {
      if (isLast) this.#finish(headers);
      else this.#fail(brokenReply('the trailers do not end the reply'));
      return;
    }
    const status = findHeader(headers, ':status') ?? '';
    // Informational responses precede the final one. Source: RFC 9110, section 15.2.
    if (status.startsWith('1')) return;
    if (status !== '200' || !isGrpc(headers)) {
      this.#fail(httpFailure(status));
      return;
    }
    this.#metadata = readMetadata(headers);
    this.#messages.encoding = findHeader(headers, 'grpc-encoding');
    this.#owner.headers(this.#metadata);
  }

  message(message: Uint8Array): void {
    if (!this.#isOver) this.#owner.message(message);
  }

  data(bytes: Buffer, start: number, end: number, isLast: boolean): void {
    if (this.#isOver) return;
    if (this.#metadata === undefined) {
      this.#fail(brokenReply('the reply has no headers'));
      return;
    }
    try {
      this.#messages.read(bytes, start, end, this);
    } catch (error) {
      this.#fail(error instanceof NodeFailure ? error : brokenReply(String(error)));
      return;
    }
    if (isLast) this.#fail(this.#messages.isCut ? cutShort() : noStatus());
    else this.#owner.used(end - start);
  }

  /** Discards an incomplete message. */
  release(): void {
    this.#messages.release();
  }

  broken(cause: StreamBreak): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const isUnprocessed = cause.isUnprocessed && this.#metadata === undefined;
    this.#owner.failed(brokenFailure(cause, this.#metadata ?? []), isUnprocessed);
  }

  /** The last headers; in a reply without a message also the first. */
  #finish(headers: readonly Header[]): void {
    const status = findHeader(headers, 'grpc-status');
    if (status === undefined) {
      const web = findHeader(headers, ':status');
      this.#fail(web === undefined || web === '200' ? noStatus() : httpFailure(web));
      return;
    }
    const trailers = readMetadata(headers);
    const code = toGrpcCode(Number(status));
    if (code === GRPC_CODES.ok && this.#messages.isCut) {
      this.#fail(cutShort());
      return;
    }
    this.#isOver = true;
    if (code === GRPC_CODES.ok) {
      this.#owner.done(trailers);
      return;
    }
    const text = readMessageText(findHeader(headers, 'grpc-message') ?? '');
    const metadata = [...(this.#metadata ?? []), ...trailers];
    this.#owner.failed(new NodeFailure(code, text, { metadata }), false);
  }

  #fail(failure: NodeFailure): void {
    this.#isOver = true;
    this.#owner.abandon();
    this.#owner.failed(failure, false);
  }
}

function isGrpc(headers: readonly Header[]): boolean {
  const type = findHeader(headers, 'content-type');
  // Nearly all replies have exactly this one. Media types are compared without case (RFC 9110, section 8.3.1).
  return type === 'application/grpc' || /^application\/grpc(?:$|[+;\s])/i.test(type ?? '');
}

function cutShort(): NodeFailure {
  return brokenReply('a message of the reply is cut short');
}

function noStatus(): NodeFailure {
  return new NodeFailure(GRPC_CODES.unknown, 'the reply ended without a status', { fromTransport: true });
}
