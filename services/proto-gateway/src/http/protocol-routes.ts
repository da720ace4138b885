import { publicText, type RenderedError, type ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import { splitUrl } from '@mlango/transcoder/request-target';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../answers/answer.js';
import { isQuery, type Route } from '../catalog/routes.js';
import { connectUnary } from '../protocols/connect/request.js';
import { connectStream } from '../protocols/connect/stream.js';
import { grpcWeb } from '../protocols/grpc-web/stream.js';
import {
  detectProtocol,
  PROTOCOLS,
  type ProtocolName,
  type ProtocolRequest,
  type RpcProtocol,
} from '../protocols/protocol.js';
import { notServed } from '../query/query-gateway.js';
import { CATALOG_UNKNOWN } from './current-handlers.js';
import { GRPC_CODE_OF } from './errors.js';
import { byteBody, headerPairs } from './request.js';
import type { QueryRouteOptions } from './routes.js';
import { send } from './send.js';

export interface ProtocolRouteOptions extends QueryRouteOptions {
  /** Limit of a decompressed message. */
  readonly messageLimitBytes: number;
}

/** gRPC-Web and Connect: each rpc with a route, by its name. The protocol is detected from request line and headers. */
export async function protocolRoutes(app: HttpApp, options: ProtocolRouteOptions): Promise<void> {
  app.addConstraintStrategy({
    name: 'protocol',
    storage: protocolStorage,
    deriveConstraint: detectProtocol,
    // Health and other plain routes accept requests of any content type.
    mustMatchWhenDerived: false,
  });
  await app.register(async (scope) => {
    byteBody(scope);
    for (const name of PROTOCOLS) {
      scope.route({
        method: name === 'connect' ? ['GET', 'POST'] : 'POST',
        url: '/*',
        constraints: { protocol: name },
        schema: { hide: true },
        config: { failureForm: (error, request) => failureForm(name, error, request) },
        handler: (request, reply) => answer(name, request, reply, options),
      });
    }
  });
}

function protocolStorage<T>() {
  const handlers = new Map<unknown, T>();
  return {
    get: (name: unknown): T | null => handlers.get(name) ?? null,
    set: (name: unknown, handler: T): void => void handlers.set(name, handler),
  };
}

async function answer(
  name: ProtocolName,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ProtocolRouteOptions,
): Promise<FastifyReply> {
  const protocol = openProtocol(name, request.raw);
  const { route, response } = await callRpc(protocol, request, reply, options);
  options.record(request, response, route?.rpcName);
  exposeHeaders(reply, response);
  return send(reply, response, { 'cache-control': 'no-store' }, options.replyBytes);
}

async function callRpc(
  protocol: RpcProtocol,
  request: FastifyRequest,
  reply: FastifyReply,
  { currentHandlers, isGated, cancelWith, messageLimitBytes, yieldFor }: ProtocolRouteOptions,
): Promise<{ readonly route?: Route | undefined; readonly response: Answer }> {
  const fail = (status: RpcStatus) => protocol.failure({ status, metadata: [] });
  const now = currentHandlers();
  if (now === undefined) return { response: fail(CATALOG_UNKNOWN) };
  const rpcName = splitUrl(request.raw.url ?? '').rawPath.slice(1);
  const route = now.rpcs.get(rpcName);
  const refusal = route === undefined ? unknownRpc(rpcName) : notServed(route);
  if (route === undefined || refusal !== undefined) return { route, response: fail(refusal ?? unknownRpc(rpcName)) };
  const { methodKind } = route.rpc;
  if (!isServedKind(methodKind) || !protocol.supports(methodKind)) return { route, response: fail(otherKind(route)) };
  if (request.method === 'GET' && !isQuery(route)) return { route, response: fail(notByGet(route)) };
  const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
  const beforeRead = yieldFor(body.length);
  if (beforeRead !== undefined) await beforeRead;
  const call = await protocol.read(body, messageLimitBytes);
  const beforeCall = yieldFor(call.message.length);
  if (beforeCall !== undefined) await beforeCall;
  const caller = { address: request.ip, host: request.headers.host ?? '' };
  const headers = headerPairs(request, { isGated });
  const signal = cancelWith(reply, methodKind === 'server_streaming');
  const plan = request.apiKey?.plan;
  return { route, response: await now.callRpc(protocol, { route, call, headers, caller, plan }, signal) };
}

const NO_BODY = new Uint8Array();

function isServedKind(kind: string): kind is 'unary' | 'server_streaming' {
  return kind === 'unary' || kind === 'server_streaming';
}

function unimplemented(message: string): RpcStatus {
  return { code: GRPC_CODES.unimplemented, message, details: [] };
}

function unknownRpc(rpcName: string): RpcStatus {
  return unimplemented(`${rpcName.slice(0, 200)} is not served here`);
}

function otherKind({ rpc, rpcName }: Route): RpcStatus {
  const types = rpc.methodKind === 'unary' ? ['proto', 'json'] : ['connect+proto', 'connect+json'];
  return unimplemented(`In Connect ${rpcName} is ${types.map((type) => `application/${type}`).join(' or ')}`);
}

function notByGet({ rpcName }: Route): RpcStatus {
  return unimplemented(`${rpcName} is not a query: it is called by POST`);
}

/** Exposes the node's metadata to pages of allowed origins. */
function exposeHeaders(reply: FastifyReply, { headers }: Answer): void {
  const exposed = reply.getHeader('access-control-expose-headers');
  if (exposed !== undefined && headers.size > 0) {
    void reply.header('access-control-expose-headers', [String(exposed), ...headers.keys()].join(', '));
  }
}

/** Renders a failure outside the call, such as of the gate or a limit. In envelopes the HTTP status is 200. */
function failureForm(name: ProtocolName, error: ServiceError, request: FastifyRequest): RenderedError {
  const code = TOO_LARGE.has(error.code) ? GRPC_CODES.resourceExhausted : GRPC_CODE_OF[error.code];
  const status: RpcStatus = { code, message: publicText(error), details: [] };
  const { body, contentType } = openProtocol(name, request.raw).failure({ status, metadata: [] });
  const isOfHttp = name === 'connect' || error.code === 'unsupported_media_type';
  return { body, contentType, status: isOfHttp ? error.status : 200 };
}

const TOO_LARGE: ReadonlySet<string> = new Set(['payload_too_large', 'headers_too_large']);

const OPEN: Readonly<Record<ProtocolName, (request: ProtocolRequest) => RpcProtocol>> = {
  connect: connectUnary,
  'connect-stream': connectStream,
  'grpc-web': grpcWeb,
};

/** The protocol of one request. */
function openProtocol(name: ProtocolName, request: ProtocolRequest): RpcProtocol {
  return OPEN[name](request);
}
