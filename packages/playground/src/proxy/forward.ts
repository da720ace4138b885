import type { IncomingHttpHeaders } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestPath, unreadablePath } from './request-path.js';

export interface Forwarding {
  /** Base URL of the service. */
  readonly url: string;
  /** First segments of a path on this server, which the service's path lacks. */
  readonly prefix: string;
  /** Replaces the prefix upstream. Default: empty. */
  readonly target?: string;
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** Whether a decoded path, without the prefix and its query, is one the page needs. */
  readonly allows: (path: string) => boolean;
  /** Headers to add to forwarded requests. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Checks an allowed request; an error it throws becomes the response. */
  readonly check?: (request: FastifyRequest) => void;
  /** Whether connections may change to WebSocket. */
  readonly websocket?: boolean;
}

/** Headers of one connection or one site, which are invalid on the next, and those that only this server may set. */
const dropped = new Set([
  'cookie',
  'origin',
  'referer',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'x-aggregator-secret',
  'x-api-key',
]);

/** Connections to one service at the same time. */
const CONNECTIONS = 256;
/** Idle timeout of responses; streams send a heartbeat every 15 s. */
const SILENCE_MS = 60_000;

/** Forwards requests to a service byte for byte; streams and errors are returned unchanged. */
export async function forward(app: HttpApp, forwarding: Forwarding): Promise<void> {
  const { url, prefix, target = '', methods, allows, headers = {}, check, websocket = false } = forwarding;
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) => {
      if (!allows(requestPath(request.url, prefix))) {
        throw new ServiceError('not_found', 'The page has no use for this path');
      }
      check?.(request);
      done();
    });
    // The proxy throws an own error with this status for a path that leaves the prefix.
    scope.setErrorHandler((error: Error & { statusCode?: number }) => {
      throw error.statusCode === 400 ? unreadablePath(error) : error;
    });
    await scope.register(httpProxy, {
      upstream: url,
      prefix,
      rewritePrefix: target,
      // No retries: a failing service, or one with Retry-After, must not get more requests.
      retryMethods: [],
      // Each request has its line in the log already.
      disableRequestLogging: true,
      httpMethods: [...methods],
      undici: { connections: CONNECTIONS, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS },
      replyOptions: {
        rewriteRequestHeaders: (request: unknown, incoming: IncomingHttpHeaders) => ({
          ...passedOn(incoming),
          'x-forwarded-for': (request as FastifyRequest).ip,
          ...headers,
        }),
        onError: (reply: unknown, { error }: { error: Error }) => {
          const message = 'The service cannot be reached';
          void (reply as FastifyReply).send(new ServiceError('unavailable', message, { cause: error }));
        },
      },
      ...(websocket ? { websocket, wsUpstream: url.replace(/^http/, 'ws') } : {}),
    } as Parameters<typeof httpProxy>[1]);
  });
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
