import type { IncomingHttpHeaders } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestPath, unreadablePath } from './request-path.js';

export interface Forwarding {
  /** Base URL of the service. */
  readonly url: string;
  /** First segments of a path here, which it does not have there. */
  readonly prefix: string;
  /** What stands in the place of the prefix there. Default: nothing. */
  readonly target?: string;
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** Whether a decoded path, without the prefix and its query, is one the page needs. */
  readonly allows: (path: string) => boolean;
  /** What the service wants to see beside what the page sends. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Looks at a request that is allowed; what it throws is the answer. */
  readonly check?: (request: FastifyRequest) => void;
  /** Whether connections may change to WebSocket. */
  readonly websocket?: boolean;
}

/** Headers of one connection or one site, which mean nothing on the next, and those that only this server may set. */
const dropped = new Set([
  ...['cookie', 'origin', 'referer', 'forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'],
  ...['x-real-ip', 'x-aggregator-secret', 'x-api-key'],
]);

/** Connections to one service at the same time. */
const CONNECTIONS = 256;
/** An answer that is silent for longer is given up; streams say something every 15 s. */
const SILENCE_MS = 60_000;

/** Passes requests on to a service, byte for byte; streams and refusals come back as they are. */
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
    // What the proxy will not follow, such as a way out of the prefix, it throws as an error of its own with this status.
    scope.setErrorHandler((error: Error & { statusCode?: number }) => {
      throw error.statusCode === 400 ? unreadablePath(error) : error;
    });
    await scope.register(httpProxy, {
      upstream: url,
      prefix,
      rewritePrefix: target,
      // A service that is in trouble, or has said when to come again, is not asked ten times for one request.
      retryMethods: [],
      // Each request has its line in the log already.
      disableRequestLogging: true,
      httpMethods: [...methods],
      undici: { connections: CONNECTIONS, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS },
      replyOptions: {
        rewriteRequestHeaders: (request: unknown, given: IncomingHttpHeaders) => ({
          ...passedOn(given),
          'x-forwarded-for': (request as FastifyRequest).ip,
          ...headers,
        }),
        onError: (reply: unknown, { error }: { error: Error }) => {
          const message = 'The service behind this door cannot be reached';
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
