import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyCorsOptions } from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyPluginCallback, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { type RenderError, renderJsonError } from '../errors/service-error.js';
import type { Metrics } from '../metrics/metrics.js';
import { allowance } from '../rate-limit/rate-limit-store.js';
import { withoutPorts } from './client-address.js';
import { clientErrorHandler, errorFunnel } from './error-funnel.js';
import { healthRoutes, type Readiness } from './health.js';
import type { HttpApp } from './http-app-type.js';
import { type OverloadLimits, shedLoad } from './load-shedding.js';
import type { OpenApiOptions } from './openapi.js';
import type { OperatorAccess } from './operator-access.js';
import { limitRate, type RateLimitOptions, refusalFirst } from './rate-limiting.js';
import { closePipelinedReplies } from './reply-closed.js';
import { decorateWithPublicAddress, refuseTwoHosts } from './request-host.js';
import { lazyRequestLoggers, logReplies } from './request-log.js';
import { metricsRoute } from './request-metrics.js';
import { securityTxtRoute, sendSecurityHeaders } from './security-headers.js';

export interface HttpAppOptions {
  readonly version: string;
  readonly logger: FastifyBaseLogger;
  /** From `trustedProxies(config)`. */
  readonly trustProxy: string[] | false;
  /** The setting `PUBLIC_URL`: the address under which clients reach this service. Omitted: as each request names it. */
  readonly publicUrl?: string | undefined;
  /** Called first; returns the URL to route, and may change the request. */
  readonly rewriteUrl?: (request: IncomingMessage) => string;
  /** Whether a path is also served with a final slash. Default: no. */
  readonly ignoreTrailingSlash?: boolean;
  /** Largest request body; a larger one is `payload_too_large`. */
  readonly bodyLimitBytes: number;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Access rule of `GET /metrics`. */
  readonly metricsAccess: OperatorAccess;
  /** Renders errors. Default: `{statusCode, error, message}`. */
  readonly renderError?: RenderError;
  readonly rateLimit?: RateLimitOptions;
  /** Omitted: the service serves no description of itself. */
  readonly openapi?: OpenApiOptions | undefined;
  /** Omitted: no CORS headers at all. */
  readonly cors?: FastifyCorsOptions;
  /** Contacts for vulnerabilities, as URIs: for `/.well-known/security.txt`. Omitted or empty: no such file. */
  readonly securityContacts?: readonly string[];
  /** From `startTracing`; omitted: no spans. */
  readonly tracing?: FastifyPluginCallback | undefined;
  /** When the process counts as overloaded. Default: a mean event loop delay of 500 ms over one second. */
  readonly overload?: OverloadLimits;
}

/** Time limit for a whole request to arrive, in ms: bounds slow clients. */
const requestTimeoutMs = 30_000;
/** Longer than the idle timeout of common reverse proxies, so that the proxy closes an idle connection. */
const keepAliveTimeoutMs = 72_000;
/** Characters of one path parameter, percent-encoding counted. */
const maxParamLength = 1024;

/**
 * The Fastify app every service starts from: request ids, security headers, load shedding, rate limits, the error
 * funnel on all of Fastify's paths, health, metrics and API description. Routes are added by the service.
 */
export async function createHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const render = options.renderError ?? renderJsonError;
  const funnel = errorFunnel(render);
  const app: HttpApp = Fastify({
    loggerInstance: lazyRequestLoggers(options.logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    trustProxy: options.trustProxy,
    ...seenFirst(options),
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // Requests that arrive while closing are served, with `Connection: close`, so that no deploy fails a request.
    return503OnClosing: false,
    routerOptions: { maxParamLength, ignoreTrailingSlash: options.ignoreTrailingSlash ?? false },
    // Avoids loading Fastify's JSON schema compilers, a megabyte of unused code.
    schemaController: { compilersFactory: { buildValidator: zodAlone, buildSerializer: zodAlone } },
    frameworkErrors: (error, request, reply) => {
      void funnel.send(error, request, reply);
    },
    clientErrorHandler: clientErrorHandler(render, options.logger),
  }).withTypeProvider<ZodTypeProvider>();
  closePipelinedReplies(app.server);
  closeIdleConnections(app);
  decorateWithPublicAddress(app, options);

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(refusalFirst(funnel.send));
  app.setNotFoundHandler(funnel.notFound);
  // Synchronous hooks use the callback: a promise would cost more than their work.
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (options.readiness.closing) void reply.header('connection', 'close');
    done();
  });
  if (options.tracing !== undefined) await app.register(options.tracing);
  sendSecurityHeaders(app);
  refuseTwoHosts(app, render);
  if (options.cors !== undefined) await app.register(import('@fastify/cors'), options.cors);
  await shedLoad(app, options.overload);
  if (options.rateLimit !== undefined) await limitRate(app, options.rateLimit);
  app.decorate('operatorGuesses', options.rateLimit && allowance({ ...options.rateLimit, name: 'operator-token' }));
  logReplies(app);
  if (options.openapi !== undefined) {
    const { describeApi } = await import('./openapi.js');
    await describeApi(app, options, options.openapi);
  }
  healthRoutes(app, options.readiness);
  metricsRoute(app, options.metrics, options.metricsAccess);
  securityTxtRoute(app, options.securityContacts ?? []);
  return app;
}

/** Strips ports from `X-Forwarded-For` before Fastify reads it. */
function seenFirst({ trustProxy, rewriteUrl }: HttpAppOptions): Pick<HttpAppOptions, 'rewriteUrl'> {
  if (trustProxy === false) return rewriteUrl === undefined ? {} : { rewriteUrl };
  return {
    rewriteUrl: (request) => {
      const { 'x-forwarded-for': forwarded } = request.headers;
      if (typeof forwarded === 'string') request.headers['x-forwarded-for'] = withoutPorts(forwarded);
      return rewriteUrl === undefined ? (request.url ?? '/') : rewriteUrl(request);
    },
  };
}

function zodAlone(): never {
  throw new Error('schemas are compiled by zod alone');
}

const acceptable = /^[\w.:-]{1,128}$/;

/** The caller's `X-Request-Id` if it is at most 128 harmless characters, else a fresh UUID. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const requestId = request.headers['x-request-id'];
  return typeof requestId === 'string' && acceptable.test(requestId) ? requestId : randomUUID();
}

const sweepMs = 10;

/**
 * Closes connections without a request while the app closes. Fastify closes idle connections only once, at the start: a busy one would
 * stay open after its reply until its keep-alive timeout. Node.js does not count a connection before its first request, which
 * browsers open ahead, as idle; it would stay open for half a minute.
 */
function closeIdleConnections(app: HttpApp): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  let sweep: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweep = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, sweepMs);
  });
  // Runs once the server has closed.
  app.addHook('onClose', async () => clearInterval(sweep));
}
