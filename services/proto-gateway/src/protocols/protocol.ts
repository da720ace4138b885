import type { IncomingMessage } from 'node:http';
import type { Reply } from '@mlango/grpc-channel';
import type { Codec } from '@mlango/transcoder/bind-message';
import type { RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { Answer, WholeAnswer } from '../query/answer.js';
import type { BegunStream } from '../query/stream.js';

/** A call as its caller worded it. */
export interface RpcCall {
  readonly codec: Codec;
  readonly message: Uint8Array;
  /** `undefined` where the caller names no time. */
  readonly timeoutMs: number | undefined;
}

/** Writes a message of a reply in the codec of the call. Throws on bytes that are no such message. */
export type WriteMessage = (bytes: Uint8Array) => Uint8Array;

/** What the tongue reads of a request. */
export type ProtocolRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** One request in its tongue. */
export interface RpcProtocol {
  /**
   * The call in a body.
   *
   * @param limitBytes of the message once it is unpacked
   * @throws {ServiceError} for a body, or a header, that is not what the tongue demands
   */
  read(body: Uint8Array, limitBytes: number): Promise<RpcCall>;
  /** Whether methods of this kind are called this way. */
  carries(kind: 'unary' | 'server_streaming'): boolean;
  reply(reply: Reply, write: WriteMessage): Promise<Answer>;
  /** @param word words the failure of a stream that has begun */
  stream(begun: BegunStream, write: WriteMessage, word: (failure: unknown) => DescribedFailure): Answer;
  /** Bytes among the details are messages as the node packed them. */
  failure(failure: DescribedFailure): WholeAnswer;
}

export interface DescribedFailure {
  readonly status: RpcStatus;
  readonly metadata: Metadata;
}

export const PROTOCOLS = ['grpc-web', 'connect', 'connect-stream'] as const;

/** Another protocol for the same rpcs. Connect has one form for single messages and one for streams. */
export type ProtocolName = (typeof PROTOCOLS)[number];

/** `/pkg.Service/Method`. A service without a package is one segment like that of any route. */
const RPC_PATH = /^\/[\w.]+\/\w+(?:\?|$)/;
const RPC_PATH_WITH_PACKAGE = /^\/\w+\.[\w.]+\/\w+(?:\?|$)/;

/** The tongue of a request, by its first lines alone; `undefined` for one to a route. */
export function detectProtocol(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): ProtocolName | undefined {
  const { method, url = '', headers } = request;
  if (method === 'GET') return isConnectGet(url) ? 'connect' : undefined;
  if (method !== 'POST') return undefined;
  const type = headers['content-type']?.toLowerCase() ?? '';
  if (type.startsWith('application/grpc-web')) return 'grpc-web';
  if (type.startsWith('application/connect+')) return 'connect-stream';
  const isConnect = headers['connect-protocol-version'] !== undefined || RPC_PATH_WITH_PACKAGE.test(url);
  return isConnect ? 'connect' : undefined;
}

function isConnectGet(url: string): boolean {
  return RPC_PATH.test(url) && /[?&]encoding=/.test(url) && /[?&](?:message|connect)=/.test(url);
}
