import {
  type ErrorCode,
  publicText,
  type RenderError,
  type RenderedError,
  type ServiceError,
} from '@mlango/service-kit/errors';
import type { RouteMatch } from '@mlango/transcoder';
import { GRPC_CODES, type GrpcCode } from '@mlango/transcoder/grpc-status';
import { splitUrl } from '@mlango/transcoder/request-target';
import { ANY_METHOD } from '@mlango/transcoder/template';
import { type Answer, errorAnswer } from '../answers/answer.js';
import { prefixOf } from '../catalog/legacy-paths.js';
import { findNearestRoute } from '../catalog/nearest-route.js';
import { isQuery, type Route, type RouteTable } from '../catalog/routes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Renders failures in the protocol of the route. */
    failureForm?: (error: ServiceError, request: FastifyRequest) => RenderedError;
  }
}

/** The gRPC code of a failure outside an rpc. */
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

/** Renders failures outside an rpc in the format of rpc failures, in the protocol of the route. */
export const renderGatewayError: RenderError = (error, request) => {
  const failureForm = request?.routeOptions.config.failureForm;
  if (request !== undefined && failureForm !== undefined) return failureForm(error, request);
  return { body: { code: GRPC_CODE_OF[error.code], message: publicText(error), details: [] } };
};

/** The answer to a request that no rpc takes. */
export function answerMismatch(
  match: Exclude<RouteMatch<Route>, { kind: 'found' }>,
  method: string,
  url: string,
  table: RouteTable,
): Answer {
  switch (match.kind) {
    case 'bad_escape':
      return refuse(GRPC_CODES.invalidArgument, 'The path has an escape that is cut short or is not UTF-8');
    case 'other_method':
      return answerOtherMethod(match.methods, method);
    case 'none':
      return (
        otherMethodOfRpc(method, url, table) ??
        refuse(GRPC_CODES.notFound, describeUnknownPath(splitUrl(url).rawPath, table))
      );
  }
}

function answerOtherMethod(known: readonly string[], method: string): Answer {
  const allow = allowedMethods(known).join(', ');
  if (method === 'OPTIONS') {
    return {
      status: 204,
      contentType: 'text/plain',
      headers: new Map([['allow', [allow]]]),
      body: '',
      code: GRPC_CODES.ok,
    };
  }
  return refuse(GRPC_CODES.unimplemented, `${method} is not served on this path. Served are ${allow}.`, { allow });
}

/** An rpc called by its name with an unsupported HTTP method: 405, as in Connect. */
function otherMethodOfRpc(method: string, url: string, { routes }: RouteTable): Answer | undefined {
  const { rawPath } = splitUrl(url);
  const route = routes.find(({ rpcPath }) => rpcPath === rawPath);
  if (route === undefined) return undefined;
  const allow = isQuery(route) ? 'GET, OPTIONS, POST' : 'OPTIONS, POST';
  if (method === 'OPTIONS' || method === 'GET' || method === 'HEAD') return undefined;
  return { ...refuse(GRPC_CODES.unimplemented, `${route.rpcName} is called by POST`, { allow }), status: 405 };
}

function allowedMethods(known: readonly string[]): string[] {
  const methods = new Set(known.filter((method) => method !== ANY_METHOD));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}

function describeUnknownPath(path: string, table: RouteTable): string {
  const prefixes = [...new Set(table.routes.map((route) => prefixOf(route.template)))].slice(0, 20);
  const nearest = findNearestRoute(table.routes, path);
  const served = prefixes.length === 0 ? 'Nothing is served here.' : `This gateway serves ${prefixes.join(', ')}.`;
  return `No route for this path. ${served}${nearest === undefined ? '' : ` The nearest route is ${nearest}.`}`;
}

function refuse(code: 3 | 5 | 12, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return errorAnswer({ code, message, details: [] }, [], headers);
}
