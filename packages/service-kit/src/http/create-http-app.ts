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
  /** Called first of all; gives the URL that the rest of the app sees, and may change the request. */
  readonly rewriteUrl?: (request: IncomingMessage) => string;
  /** Whether a path is also served with a slash behind it. Default: it is not. */
  readonly ignoreTrailingSlash?: boolean;
  /** Largest request body; a larger one is `payload_too_large`. */
  readonly bodyLimitBytes: number;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Who may read `GET /metrics`. */
  readonly metricsAccess: OperatorAccess;
  /** How failures are worded; `{statusCode, error, message}` unless given. */
  readonly renderError?: RenderError;
  readonly rateLimit?: RateLimitOptions;
  /** Omitted: the service serves no description of itself. */
  readonly openapi?: OpenApiOptions | undefined;
  /** Omitted: no CORS headers at all. */
  readonly cors?: FastifyCorsOptions;
  /** Whom to tell of a vulnerability, as URIs: for `/.well-known/security.txt`. Omitted or empty: there is none. */
  readonly securityContacts?: readonly string[];
  /** From `startTracing`; omitted: no spans. */
  readonly tracing?: FastifyPluginCallback | undefined;
  /** When the process counts as overloaded. Default: a mean event loop delay of 500 ms over one second. */
  readonly overload?: OverloadLimits;
}

/** Time for a whole request to arrive, in ms: a client that drips bytes holds a connection no longer than this. */
const requestTimeoutMs = 30_000;
/** Longer than the idle time of common reverse proxies, so that they, not we, close an idle connection. */
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
    // Requests that still arrive while closing are served, with `Connection: close`: a caller never pays for a deploy.
    return503OnClosing: false,
    routerOptions: { maxParamLength, ignoreTrailingSlash: options.ignoreTrailingSlash ?? false },
    // Fastify else loads those of JSON schemas: a megabyte of code for nothing.
    schemaController: { compilersFactory: { buildValidator: zodAlone, buildSerializer: zodAlone } },
    frameworkErrors: (error, request, reply) => {
      void funnel.send(error, request, reply);
    },
    clientErrorHandler: clientErrorHandler(render, options.logger),
  }).withTypeProvider<ZodTypeProvider>();
  closeIdleConnections(app);
  decorateWithPublicAddress(app, options);

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(refusalFirst(funnel.send));
  app.setNotFoundHandler(funnel.notFound);
  // Hooks that wait for nothing call back: a promise for each would cost more than their work.
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

/** What is done before anything else sees a request. */
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
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

const sweepMs = 10;

/**
 * Ends connections while the app closes as soon as they have no request. Fastify closes idle connections once, at the start: one that
 * was busy then would stay open after its reply until its keep-alive time runs out. One that a client opened ahead of its first request,
 * as browsers do, is not idle to Node.js and would stay open for half a minute.
 */
export function closeIdleConnections(app: HttpApp): void {
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
