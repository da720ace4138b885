import type { Reply } from '../channel.js';
import type { Metadata } from '../metadata.js';
import type { NodeFailure } from '../node-failure.js';
import { brokenReply, cancelledFailure } from './failures.js';
import type { CallEvents } from './grpc-exchange.js';
import { LeanCall, type OutgoingCall } from './lean-call.js';

/** A call with one message for a reply. */
export function unaryCall(call: OutgoingCall): Promise<Reply> {
  return new Promise((resolve, reject) => {
    if (call.signal?.aborted === true) reject(cancelledFailure());
    else void new LeanCall(call, new OneReply(resolve, reject));
  });
}

/** Puts a reply together that has one message. */
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
