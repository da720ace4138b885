import { CLOSED_AFTER_SETTINGS, httpProblem } from '../connect-problem.js';
import { GRPC_CODES, type GrpcCode } from '../grpc-code.js';
import { ERROR } from '../http2/frames.js';
import type { StreamBreak } from '../http2/stream.js';
import type { Metadata } from '../metadata.js';
import { NodeFailure } from '../node-failure.js';

/** Source: the gRPC protocol over HTTP/2, "Errors". Other codes are internal errors. */
const CODE_OF_RESET: ReadonlyMap<number, GrpcCode> = new Map<number, GrpcCode>([
  [ERROR.refusedStream, GRPC_CODES.unavailable],
  // The caller did not cancel: the node, or a proxy before it, cancelled the call.
  [ERROR.cancel, GRPC_CODES.unavailable],
  [ERROR.enhanceYourCalm, GRPC_CODES.resourceExhausted],
  [ERROR.inadequateSecurity, GRPC_CODES.permissionDenied],
]);

/** gRPC codes for HTTP statuses of servers without gRPC. Source: gRPC's http-grpc-status-mapping. */
const CODE_OF_HTTP: ReadonlyMap<string, GrpcCode> = new Map<string, GrpcCode>([
  ['400', GRPC_CODES.internal],
  // A proxy refuses the gateway itself, which callers cannot change.
  ['401', GRPC_CODES.unavailable],
  ['403', GRPC_CODES.unavailable],
  // Only a node can report an unknown method.
  ['404', GRPC_CODES.internal],
  ['429', GRPC_CODES.unavailable],
  ['502', GRPC_CODES.unavailable],
  ['503', GRPC_CODES.unavailable],
  ['504', GRPC_CODES.unavailable],
]);

export function brokenFailure(cause: StreamBreak, metadata: Metadata): NodeFailure {
  const isUnavailable = cause.isConnectionFailure || cause.isUnprocessed;
  const code = isUnavailable ? GRPC_CODES.unavailable : (CODE_OF_RESET.get(cause.code) ?? GRPC_CODES.internal);
  const isReset = !isUnavailable && cause.code === ERROR.cancel;
  return new NodeFailure(code, cause.reason, {
    metadata,
    // The connection continues after a reset call: the failure counts, but does not pause the node at once.
    fromTransport: !isReset,
    tooLarge: cause.isTooLarge ?? false,
    ...(cause.isUnanswered === true ? { outage: CLOSED_AFTER_SETTINGS } : {}),
  });
}

export function httpFailure(status: string): NodeFailure {
  const code = CODE_OF_HTTP.get(status) ?? GRPC_CODES.unknown;
  const outage = httpProblem(status);
  return new NodeFailure(code, outage.reason, { fromTransport: true, outage });
}

export function brokenReply(text: string): NodeFailure {
  return new NodeFailure(GRPC_CODES.internal, text, { fromTransport: true });
}

export function unavailableFailure(reason: string): NodeFailure {
  return new NodeFailure(GRPC_CODES.unavailable, `no connection to the node: ${reason}`, { fromTransport: true });
}

export function lateFailure(): NodeFailure {
  return new NodeFailure(GRPC_CODES.deadlineExceeded, 'the time of the call is over', { fromTransport: true });
}

export function cancelledFailure(): NodeFailure {
  return new NodeFailure(GRPC_CODES.cancelled, 'the call was cancelled', { fromTransport: true });
}
