import { firstProblem, publicText, type RenderError, ServiceError, toServiceError } from '@mlango/service-kit/errors';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { anyFields } from './fields.js';

/** Longest id of a client. */
const idChars = 200;

const rpcId = z.union([z.string().max(idChars), z.int()]);
export type RpcId = z.output<typeof rpcId>;

/** A request, a notification (without an id), or a response, which this server never expects. */
export const rpcMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: rpcId.optional(),
    method: z.string().min(1).max(100).optional(),
    params: anyFields,
  })
  .describe('A message of JSON-RPC 2.0; batches are not accepted');

export const rpcReply = z.looseObject({ jsonrpc: z.literal('2.0') }).describe('The response to a request');

/** Error statuses that every route of JSON-RPC can return. */
const always = [400, 401, 402, 403, 429, 500, 503] as const;

/** Error replies of a route, for its schema: those of every route and the named ones. */
export function rpcErrorReplies<const Statuses extends readonly (404 | 405 | 413 | 415)[]>(...statuses: Statuses) {
  const entries = [...statuses, ...always].map((status) => [status, rpcReply] as const);
  return Object.fromEntries(entries) as Record<Statuses[number] | (typeof always)[number], typeof rpcReply>;
}

/** Error codes of JSON-RPC. Protocols on top set their own by `rpcErrorWith`. */
const numberOf: Partial<Record<ServiceError['code'], number>> = {
  invalid_argument: -32_602,
  not_found: -32_602,
  internal: -32_603,
};
const parseError = -32_700;
const invalidRequest = -32_600;
const methodNotFound = -32_601;
const otherError = -32_000;

/** An error with an error code of the protocol on top of JSON-RPC. */
export function rpcErrorWith(
  rpcCode: number,
  code: ServiceError['code'],
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(code, message, { details: { rpcCode, ...details } });
}

export function resultOf(id: RpcId, result: object) {
  return { jsonrpc: '2.0' as const, id, result };
}

export function errorOf(id: RpcId | null, error: ServiceError) {
  const { code, status, details, publicFields } = error;
  const { rpcCode = numberOf[code] ?? otherError, ...shown } = status < 500 ? details : {};
  const data = { code, statusCode: status, ...shown, ...publicFields };
  return { jsonrpc: '2.0' as const, id, error: { code: Number(rpcCode), message: publicText(error), data } };
}

export function unknownMethod(id: RpcId, method: string) {
  return { jsonrpc: '2.0' as const, id, error: { code: methodNotFound, message: `There is no method ${method}` } };
}

/** An error as an HTTP reply, for an unreadable message or a limit. */
export const renderRpcError: RenderError = (error, request) => {
  const body = errorOf(idIn(request?.body), error);
  if (error.code !== 'invalid_argument') return { body };
  const { cause } = error;
  const isParseError = cause instanceof Error && 'code' in cause && cause.code === 'FST_ERR_CTP_INVALID_JSON_BODY';
  return { body: { ...body, error: { ...body.error, code: isParseError ? parseError : invalidRequest } } };
};

function idIn(body: unknown): RpcId | null {
  return z.looseObject({ id: rpcId }).safeParse(body).data?.id ?? null;
}

/** Reply to a message that is not a request. */
export function noRequest() {
  return errorOf(null, rpcErrorWith(invalidRequest, 'invalid_argument', 'A request has an id and a method'));
}

/**
 * Reply to a request with a failed handler; server errors are logged.
 * @throws ServiceError for a limit: the error funnel counts it and replies with its HTTP status and `Retry-After`
 */
export function thrownOf(id: RpcId, thrown: unknown, { log }: Pick<FastifyRequest, 'log'>) {
  const error = toServiceError(thrown);
  if (error.limiter !== undefined) throw error;
  if (error.status >= 500) log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  return errorOf(id, error);
}

/** Parameters of a request, validated for its method. @throws ServiceError */
export function paramsAs<Shape extends z.ZodObject>(shape: Shape, params: object): z.output<Shape> {
  const result = shape.safeParse(params);
  if (result.success) return result.data;
  throw new ServiceError('invalid_argument', `params.${firstProblem(result.error)}`);
}
