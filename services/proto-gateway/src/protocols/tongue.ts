import type { IncomingMessage } from 'node:http';
import type { Reply } from '@mlango/grpc-channel';
import type { Codec } from '@mlango/transcoder/bind-message';
import type { RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { Answer, WholeAnswer } from '../query/answer.js';
import type { BegunStream } from '../query/begin-stream.js';

/** A call as its caller worded it. */
export interface SpokenCall {
  readonly codec: Codec;
  readonly message: Uint8Array;
  /** `undefined` where the caller names no time. */
  readonly timeoutMs: number | undefined;
}

/** Writes a message of a reply in the codec of the call. Throws on bytes that are no such message. */
export type WriteMessage = (bytes: Uint8Array) => Uint8Array;

/** What the tongue reads of a request. */
export type SpokenRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** One request in its tongue. */
export interface Tongue {
  /**
   * The call in a body.
   *
   * @param limitBytes of the message once it is unpacked
   * @throws {ServiceError} for a body, or a header, that is not what the tongue demands
   */
  read(body: Uint8Array, limitBytes: number): Promise<SpokenCall>;
  /** Whether methods of this kind are called this way. */
  carries(kind: 'unary' | 'server_streaming'): boolean;
  reply(reply: Reply, write: WriteMessage): Promise<Answer>;
  /** @param word words the failure of a stream that has begun */
  stream(begun: BegunStream, write: WriteMessage, word: (failure: unknown) => WordedFailure): Answer;
  /** Bytes among the details are messages as the node packed them. */
  failure(failure: WordedFailure): WholeAnswer;
}

export interface WordedFailure {
  readonly status: RpcStatus;
  readonly metadata: Metadata;
}
