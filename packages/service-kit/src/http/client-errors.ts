import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type RenderError, reasonPhrase, renderJsonError } from '../errors/render-error.js';
import { type ErrorCode, ServiceError } from '../errors/service-error.js';

const refusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
};

/**
 * Answers bytes that never became a request: broken HTTP, headers beyond Node's limit, a request that does not arrive.
 * There is no request to route, so the answer is written to the socket by hand, in the service's own error shape.
 */
export function clientErrorHandler(render: RenderError, log: FastifyBaseLogger) {
  return (failure: Error & { code?: string }, socket: Socket): void => {
    if (failure.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [code, message] = refusals[failure.code ?? ''] ?? (['invalid_argument', 'Malformed HTTP request'] as const);
    const error = new ServiceError(code, message, { cause: failure });
    const reqId = randomUUID();
    log.debug({ err: failure, reqId }, 'connection refused');
    endWithError(socket, error, { render, reqId });
  };
}

/** Writes an answer by hand, where there is no reply to send it with, and ends the connection. */
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
