import { replyHeaders } from '@mlango/cosmos-rest/heights';
import { errorReply, GRPC_CODES, type GrpcCode, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { RawBody } from '@mlango/transcoder/http-body';
import type { Metadata } from '@mlango/transcoder/metadata';

/** A response, before it is sent over HTTP. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Text, bytes, or a stream of either. A `Readable` does its own byte accounting. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** The bytes are not compressed further. */
  readonly isEncoded?: boolean;
  /** Sent to clients that accept trailers. */
  readonly trailers?: Metadata;
  /** Stored in the response cache, so that its compressed forms are stored too. */
  readonly isCached?: boolean;
  /** The gRPC status code, for metrics. */
  readonly code: GrpcCode;
  /** The cause of a failed call, for the log. */
  readonly failure?: unknown;
}

/** An answer with a complete body. */
export interface WholeAnswer extends Answer {
  readonly body: string | Buffer;
}

export function isWhole(body: Answer['body']): body is WholeAnswer['body'] {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

export function bytesOf(body: WholeAnswer['body']): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** The node of a reply: its index in the configured targets, or `cache`. */
export const NODE_HEADER = 'x-node';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An error in the gateway's error format. */
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

/** An answer with a google.api.HttpBody, without its body. The sandbox keeps browsers from running it as a page of the gateway. */
export function rawAnswer({ contentType }: RawBody, headers: ReadonlyMap<string, readonly string[]>) {
  const all = new Map(headers).set('content-security-policy', ['sandbox']);
  return { status: 200, contentType, headers: all, isEncoded: true, code: GRPC_CODES.ok };
}

/** Adds headers to an answer. */
export function withHeaders(answer: Answer, more: Readonly<Record<string, string>>): Answer {
  const entries = Object.entries(more);
  if (entries.length === 0) return answer;
  const headers = new Map(answer.headers);
  for (const [name, value] of entries) headers.set(name, [value]);
  return { ...answer, headers };
}
