import {
  type ErrorCode,
  publicText,
  type RenderError,
  type RenderedError,
  type ServiceError,
} from '@mlango/service-kit/errors';
import { GRPC_CODES, type GrpcCode } from '@mlango/transcoder/grpc-status';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route in another tongue: its failures are said in that one. */
    failureForm?: (error: ServiceError, request: FastifyRequest) => RenderedError;
  }
}

/** What stands for a failure before or beside an rpc. */
export const GRPC_CODE_OF: Readonly<Record<ErrorCode, GrpcCode>> = {
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

/** Failures before or beside an rpc, in the same shape as those of an rpc, in the tongue of the route. */
export const renderGatewayError: RenderError = (error, request) => {
  const failureForm = request?.routeOptions.config.failureForm;
  if (request !== undefined && failureForm !== undefined) return failureForm(error, request);
  return { body: { code: GRPC_CODE_OF[error.code], message: publicText(error), details: [] } };
};
