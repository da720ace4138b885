import type { IncomingMessage } from 'node:http';
import type { Reply } from '@mlango/grpc-channel';
import type { Codec } from '@mlango/transcoder/bind-message';
import type { RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { Answer, WholeAnswer } from '../answers/answer.js';
import type { BegunStream } from '../query/stream.js';
import { isConnectStream, isConnectUnary } from './connect/routes.js';
import { isGrpcWeb } from './grpc-web/routes.js';

/** A call decoded from its protocol. */
export interface RpcCall {
  readonly codec: Codec;
  readonly message: Uint8Array;
  /** `undefined` if the client sets no deadline. */
  readonly timeoutMs: number | undefined;
}

/** Encodes a reply message in the codec of the call. Throws if the bytes are not such a message. */
export type WriteMessage = (bytes: Uint8Array) => Uint8Array;

/** The parts of a request that a protocol reads before the body. */
export type ProtocolRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The protocol of one request: decodes the call, encodes replies and failures. */
export interface RpcProtocol {
  /**
   * Decodes the call from a body.
   *
   * @param limitBytes maximum size of the decompressed message
   * @throws {ServiceError} for a body or header that violates the protocol
   */
  read(body: Uint8Array, limitBytes: number): Promise<RpcCall>;
  /** Whether the protocol supports methods of this kind. */
  supports(kind: 'unary' | 'server_streaming'): boolean;
  reply(reply: Reply, write: WriteMessage): Promise<Answer>;
  /** @param describe describes a failure after the first message */
  stream(begun: BegunStream, write: WriteMessage, describe: (failure: unknown) => DescribedFailure): Answer;
  /** Details that are bytes are encoded messages from the node. */
  failure(failure: DescribedFailure): WholeAnswer;
}

export interface DescribedFailure {
  readonly status: RpcStatus;
  readonly metadata: Metadata;
}

export const PROTOCOLS = ['grpc-web', 'connect', 'connect-stream'] as const;

/** A protocol other than HTTP/JSON for the same rpcs. Connect differs for unary calls and streams. */
export type ProtocolName = (typeof PROTOCOLS)[number];

/** Detects the protocol from the request line and headers; `undefined` for a request to an HTTP route. */
export function detectProtocol(request: ProtocolRequest): ProtocolName | undefined {
  if (isGrpcWeb(request)) return 'grpc-web';
  if (isConnectStream(request)) return 'connect-stream';
  return isConnectUnary(request) ? 'connect' : undefined;
}
