import { GRPC_CODES, type GrpcCode } from '../grpc-code.js';
import { ERROR } from '../http2/frames.js';
import type { StreamBreak } from '../http2/stream.js';
import type { Metadata } from '../metadata.js';
import { NodeFailure } from '../node-failure.js';

/** Source: the gRPC protocol over HTTP/2, "Errors". Codes that are not here are internal errors. */
const CODE_OF_RESET: ReadonlyMap<number, GrpcCode> = new Map<number, GrpcCode>([
  [ERROR.refusedStream, GRPC_CODES.unavailable],
  [ERROR.cancel, GRPC_CODES.cancelled],
  [ERROR.enhanceYourCalm, GRPC_CODES.resourceExhausted],
  [ERROR.inadequateSecurity, GRPC_CODES.permissionDenied],
]);

/** What a status of HTTP says when something answered that speaks no gRPC. Source: gRPC's http-grpc-status-mapping. */
const CODE_OF_HTTP: ReadonlyMap<string, GrpcCode> = new Map<string, GrpcCode>([
  ['400', GRPC_CODES.internal],
  ['401', GRPC_CODES.unauthenticated],
  ['403', GRPC_CODES.permissionDenied],
  // Only a node can say of a method that it has none.
  ['404', GRPC_CODES.internal],
  ['429', GRPC_CODES.unavailable],
  ['502', GRPC_CODES.unavailable],
  ['503', GRPC_CODES.unavailable],
  ['504', GRPC_CODES.unavailable],
]);

export function brokenFailure(cause: StreamBreak, metadata: Metadata): NodeFailure {
  const isAway = cause.isConnectionLost || cause.isUnprocessed;
  const code = isAway ? GRPC_CODES.unavailable : (CODE_OF_RESET.get(cause.code) ?? GRPC_CODES.internal);
  return new NodeFailure(code, cause.reason, { metadata, fromTransport: true, tooLarge: cause.isTooLarge ?? false });
}

export function webFailure(status: string): NodeFailure {
  const code = CODE_OF_HTTP.get(status) ?? GRPC_CODES.unknown;
  return new NodeFailure(code, `the node answered with HTTP status ${status} and no gRPC`, { fromTransport: true });
}

export function brokenReply(text: string): NodeFailure {
  return new NodeFailure(GRPC_CODES.internal, text, { fromTransport: true });
}

export function awayFailure(reason: string): NodeFailure {
  return new NodeFailure(GRPC_CODES.unavailable, `no connection to the node: ${reason}`, { fromTransport: true });
}

export function lateFailure(): NodeFailure {
  return new NodeFailure(GRPC_CODES.deadlineExceeded, 'the time of the call is over', { fromTransport: true });
}

export function cancelledFailure(): NodeFailure {
  return new NodeFailure(GRPC_CODES.cancelled, 'nobody waits for the call', { fromTransport: true });
}
