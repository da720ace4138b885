import type { IncomingMessage } from 'node:http';
import type { Span, Tracer } from '@opentelemetry/api';
import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';

/**
 * One server span for each request except probes, named by its method and route, in the trace of its caller. It ends when the
 * connection has taken the reply or is closed; for a WebSocket handshake when the socket is open, because a socket may live for
 * days.
 */
export function requestSpans(tracer: Tracer): FastifyPluginCallback {
  const requests: FastifyPluginCallback = (app, _options, done) => {
    const open = new WeakMap<IncomingMessage, { readonly span: Span; readonly context: Context }>();
    app.addHook('onRequest', (request, reply, next) => {
      const { method, protocol, raw, routeOptions } = request;
      if (routeOptions.config.probe === true) {
        next();
        return;
      }
      const route = routeOptions.url === undefined ? {} : { 'http.route': routeOptions.url };
      const attributes = { 'http.request.method': method, 'url.scheme': protocol, ...route };
      const caller = propagation.extract(ROOT_CONTEXT, request.headers);
      const name = routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller);
      const traced = { span, context: trace.setSpan(caller, span) };
      open.set(raw, traced);
      reply.raw.once('close', () => end(span, reply.raw.headersSent ? reply.raw.statusCode : undefined));
      if (request.headers.upgrade !== undefined) untilUpgraded(reply, span);
      context.with(traced.context, next);
    });
    // Socket events that deliver a body run outside the span of their request.
    app.addHook('preValidation', (request, _reply, next) => {
      const traced = open.get(request.raw);
      if (traced === undefined) next();
      else context.with(traced.context, next);
    });
    app.addHook('onError', (request, _reply, error, next) => {
      open.get(request.raw)?.span.recordException(error);
      next();
    });
    done();
  };
  // Its hooks are for the registering app, not for a new scope.
  return Object.assign(requests, { [Symbol.for('skip-override')]: true });
}

/** @param status of the reply; undefined if the caller left before */
function end(span: Span, status: number | undefined): void {
  if (!span.isRecording()) return;
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (status !== undefined && status >= 500) {
    span.setAttribute('error.type', String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** `@fastify/websocket` hijacks the reply when its socket opens. */
function untilUpgraded(reply: FastifyReply, span: Span): void {
  const hijack = reply.hijack.bind(reply);
  reply.hijack = () => {
    end(span, 101);
    return hijack();
  };
}
