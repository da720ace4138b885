import type { Reply, ReplyStream } from '../channel.js';
import type { Metadata } from '../metadata.js';
import type { NodeFailure } from '../node-failure.js';
import { brokenReply, cancelledFailure } from './failures.js';
import type { CallEvents } from './grpc-exchange.js';
import { Http2Call, type OutgoingCall } from './http2-call.js';

type End = { readonly failure: NodeFailure } | { readonly trailers: Metadata };

/** A call with messages for a reply. While the reader is slow, the node waits. */
export function streamCall(call: OutgoingCall): ReplyStream {
  const unread: Uint8Array[] = [];
  let end: End | undefined;
  let notifyReader = (): void => {};
  let resolveHeaders: (metadata: Metadata) => void = () => {};
  let rejectHeaders: (failure: NodeFailure) => void = () => {};
  const headers = new Promise<Metadata>((resolve, reject) => {
    resolveHeaders = resolve;
    rejectHeaders = reject;
  });
  // A caller that reads only the messages gets the failure there.
  headers.catch(() => undefined);
  if (call.signal?.aborted === true) {
    end = { failure: cancelledFailure() };
    rejectHeaders(cancelledFailure());
    return { headers, messages: read() };
  }
  const running = new Http2Call(call, {
    headers: (metadata) => resolveHeaders(metadata),
    message: (message) => {
      unread.push(message);
      running.hold(true);
      notifyReader();
    },
    done: (trailers) => {
      end = { trailers };
      resolveHeaders([]);
      notifyReader();
    },
    failed: (failure) => {
      end = { failure };
      rejectHeaders(failure);
      notifyReader();
    },
  });
  return { headers, messages: read() };

  async function* read(): AsyncGenerator<Uint8Array, Metadata> {
    try {
      for (;;) {
        const message = unread.shift();
        if (message !== undefined) {
          yield message;
          continue;
        }
        if (end !== undefined) {
          if ('failure' in end) throw end.failure;
          return end.trailers;
        }
        running.hold(false);
        await new Promise<void>((resolve) => {
          notifyReader = resolve;
        });
      }
    } finally {
      running?.cancel();
    }
  }
}

/** A call with one message for a reply. */
export function unaryCall(call: OutgoingCall): Promise<Reply> {
  return new Promise((resolve, reject) => {
    if (call.signal?.aborted === true) reject(cancelledFailure());
    else void new Http2Call(call, new OneReply(resolve, reject));
  });
}

/** Collects a reply with one message. */
class OneReply implements CallEvents {
  readonly #resolve: (reply: Reply) => void;
  readonly #reject: (failure: NodeFailure) => void;
  #headers: Metadata = NONE;
  #message: Uint8Array | undefined;
  #hasMany = false;

  constructor(resolve: (reply: Reply) => void, reject: (failure: NodeFailure) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  headers(metadata: Metadata): void {
    this.#headers = metadata;
  }

  message(message: Uint8Array): void {
    this.#hasMany = this.#message !== undefined;
    this.#message = message;
  }

  done(trailers: Metadata): void {
    const message = this.#message;
    if (message === undefined) this.#reject(brokenReply('the reply has no message'));
    else if (this.#hasMany) this.#reject(brokenReply('the reply has more than one message'));
    else this.#resolve({ message, headers: this.#headers, trailers });
  }

  failed(failure: NodeFailure): void {
    this.#reject(failure);
  }
}

const NONE: Metadata = [];
