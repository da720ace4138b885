import { replyHeaders } from '@mlango/cosmos-rest/heights';
import { errorReply, GRPC_CODES, type GrpcCode, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { RawBody } from '@mlango/transcoder/http-body';
import type { Metadata } from '@mlango/transcoder/metadata';

/** What goes back over HTTP. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Text or bytes, or a stream of either; a `Readable` counts its bytes itself. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** Its bytes have an encoding of their own: none is put around them. */
  readonly isEncoded?: boolean;
  /** For callers that take trailers. */
  readonly trailers?: Metadata;
  /** It is likely to be sent again, so that what is made for sending it is worth keeping. */
  readonly isCached?: boolean;
  /** For metrics: the gRPC code behind it. */
  readonly code: GrpcCode;
  /** For the log: what made the call fail. */
  readonly failure?: unknown;
}

/** An answer that is there as a whole. */
export interface WholeAnswer extends Answer {
  readonly body: string | Buffer;
}

export function isWhole(body: Answer['body']): body is WholeAnswer['body'] {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

export function bytesOf(body: WholeAnswer['body']): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An error in the one shape every error of the gateway has. */
export function errorAnswer(
  status: RpcStatus,
  metadata: Metadata = [],
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const all = replyHeaders(metadata);
  for (const [name, value] of Object.entries(headers)) all.set(name, [value]);
  const { httpStatus, body } = errorReply(status);
  return { status: httpStatus, contentType: JSON_TYPE, headers: all, body, code: status.code };
}

/** The answer to a call whose reply is a body as it is, but for that body. What a node sends is nobody's page. */
export function rawAnswer({ contentType }: RawBody, headers: ReadonlyMap<string, readonly string[]>) {
  const all = new Map(headers).set('content-security-policy', ['sandbox']);
  return { status: 200, contentType, headers: all, isEncoded: true, code: GRPC_CODES.ok };
}

/** An answer with more headers. */
export function withHeaders(answer: Answer, more: Readonly<Record<string, string>>): Answer {
  const entries = Object.entries(more);
  if (entries.length === 0) return answer;
  const headers = new Map(answer.headers);
  for (const [name, value] of entries) headers.set(name, [value]);
  return { ...answer, headers };
}
