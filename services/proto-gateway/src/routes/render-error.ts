import { type ErrorCode, publicText, type RenderError } from '@mlango/service-kit/errors';
import { GRPC_CODES, type GrpcCode } from '../transcoding/grpc-status.js';

const GRPC_CODE_OF: Readonly<Record<ErrorCode, GrpcCode>> = {
  invalid_argument: GRPC_CODES.invalidArgument,
  unauthenticated: GRPC_CODES.unauthenticated,
  payment_required: GRPC_CODES.failedPrecondition,
  permission_denied: GRPC_CODES.permissionDenied,
  not_found: GRPC_CODES.notFound,
  conflict: GRPC_CODES.aborted,
  payload_too_large: GRPC_CODES.outOfRange,
  unsupported_media_type: GRPC_CODES.invalidArgument,
  request_timeout: GRPC_CODES.deadlineExceeded,
  headers_too_large: GRPC_CODES.outOfRange,
  rate_limited: GRPC_CODES.resourceExhausted,
  cancelled: GRPC_CODES.cancelled,
  internal: GRPC_CODES.internal,
  unimplemented: GRPC_CODES.unimplemented,
  unavailable: GRPC_CODES.unavailable,
  deadline_exceeded: GRPC_CODES.deadlineExceeded,
};

/** Failures before or beside an rpc, in the same shape as those of an rpc. */
export const renderGatewayError: RenderError = (error) => ({
  body: { code: GRPC_CODE_OF[error.code], message: publicText(error), details: [] },
});
