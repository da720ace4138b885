import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import {
  type ErrorCode,
  type RenderError,
  reasonPhrase,
  renderJsonError,
  ServiceError,
} from '../errors/service-error.js';
import { toServiceError } from '../errors/to-service-error.js';
import { wasShed } from './load-shedding.js';

const refusals = new WeakMap<FastifyRequest, string>();

/** Name of the limit that a request reached; `overload` if the process was overloaded; undefined if none. */
export function limitMet(request: FastifyRequest): string | undefined {
  return wasShed(request) ? 'overload' : refusals.get(request);
}

/**
 * The single exit of failures: a handler's error, an unknown route, or an error of the framework before routing. The body is
 * serialised here, so that no route schema can change it.
 */
export function errorFunnel(render: RenderError) {
  const send = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toServiceError(thrown);
    if (error.limiter !== undefined) refusals.set(request, error.limiter);
    if (!wasShed(request)) logFailure(request.log, error, thrown);
    const rendered = render(error, request);
    const { body } = rendered;
    const isText = typeof body === 'string';
    return reply
      .code(rendered.status ?? error.status)
      .headers({ 'x-request-id': request.id, ...error.headers, ...rendered.headers })
      .type(rendered.contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'))
      .serializer((payload: unknown) => payload as string)
      .send(isText || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
  return {
    send,
    notFound: (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      send(new ServiceError('not_found', `Cannot ${request.method} ${pathOf(request.url)}`), request, reply),
  };
}

/** Logs server errors with their cause; client errors, and requests for what does not exist (501), at debug level only. */
function logFailure(log: FastifyBaseLogger, error: ServiceError, thrown: unknown): void {
  if (error.status >= 500 && error.code !== 'unimplemented')
    log.error({ err: error === thrown ? error : (error.cause ?? error), code: error.code }, 'request failed');
  else log.debug({ err: error, code: error.code }, 'request refused');
}

/** The path without its query, truncated. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice(0, 200);
}

const parserErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
};

/**
 * Replies to bytes that are not a request: malformed HTTP, headers beyond Node's limit, a request that times out. There is no
 * request to route, so the reply is written to the socket, in the service's error shape.
 */
export function clientErrorHandler(render: RenderError, log: FastifyBaseLogger) {
  return (failure: Error & { code?: string }, socket: Socket): void => {
    if (failure.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [code, message] =
      parserErrors[failure.code ?? ''] ?? (['invalid_argument', 'Malformed HTTP request'] as const);
    const error = new ServiceError(code, message, { cause: failure });
    const reqId = randomUUID();
    log.debug({ err: failure, reqId }, 'connection refused');
    endWithError(socket, error, { render, reqId });
  };
}

/** Writes an error reply to a socket that has no Fastify reply, and closes the connection. */
export function endWithError(
  socket: Pick<Socket, 'end'>,
  error: ServiceError,
  { render = renderJsonError, reqId = randomUUID() }: { render?: RenderError; reqId?: string } = {},
): void {
  const { body, status = error.status, contentType } = render(error);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type =
    contentType ?? (typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
  socket.end(
    [
      `HTTP/1.1 ${status} ${reasonPhrase(status)}`,
      `X-Request-Id: ${reqId}`,
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
