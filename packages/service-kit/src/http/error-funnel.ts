import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { RenderError } from '../errors/render-error.js';
import { ServiceError } from '../errors/service-error.js';
import { toServiceError } from '../errors/to-service-error.js';
import { wasShed } from './load-shedding.js';

const refusals = new WeakMap<FastifyRequest, string>();

/** The limit that a request met, by name; `overload` is none of its caller's. Undefined for one that met none. */
export function limitMet(request: FastifyRequest): string | undefined {
  return wasShed(request) ? 'overload' : refusals.get(request);
}

/**
 * The one way a failure leaves the process, whichever of Fastify's paths it took: a handler's error, an unknown route,
 * or an error of the framework before routing. The body is serialised here, so that no route schema can change it.
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

/** A fault of this side is an error with its cause; a caller's mistake is worth a line only when asked for. */
function logFailure(log: FastifyBaseLogger, error: ServiceError, thrown: unknown): void {
  if (error.status >= 500)
    log.error({ err: error === thrown ? error : (error.cause ?? error), code: error.code }, 'request failed');
  else log.debug({ err: error, code: error.code }, 'request refused');
}

/** The path without its query, cut to a length that is safe to repeat. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice(0, 200);
}
