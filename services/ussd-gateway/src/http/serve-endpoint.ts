import { endOfTurn } from '@mlango/async/end-of-turn';
import { ussdFixedReplies, ussdLimits } from '@mlango/schemas/ussd';
import { type RenderError, type RenderedError, renderJsonError, ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { isObject } from '@mlango/service-kit/parse-json';
import { withExample } from '@mlango/service-kit/with-example';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Aggregator, AggregatorRequest, Endpoint, HandsetReply } from '../aggregators/adapter.js';
import { type CountHop, dependencyOf, isOurFailure, outcomeOf } from '../analytics/hop-metrics.js';
import type { Deps } from '../deps.js';
import { scoped } from '../session-scope.js';
import type { Hop } from '../sessions/classify-hop.js';
import { runHop } from '../sessions/run-hop.js';
import { endSession, findTenant, type Routing } from '../tenants/route-session.js';
import type { Tenant } from '../tenants/tenant.js';
import { defaultTenant } from '../tenants/tenants-file.js';
import type { AggregatorOrigin } from './identify-aggregator.js';
import { limitPhone } from './limit-phone.js';
import type { RefusalLog } from './refusal-log.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the dialled code; null until it is known. */
    dialledTenant: Tenant | null;
  }
}

export interface EndpointContext {
  readonly deps: Deps;
  readonly routing: Routing;
  readonly countHop: CountHop;
  readonly refusals: RefusalLog;
  readonly aggregator: Aggregator;
  readonly identifyAggregator: (request: FastifyRequest) => AggregatorOrigin;
}

/**
 * Serves one endpoint of an aggregator: identifies the aggregator, decodes the request, runs the hop or ends the session, and encodes the
 * reply.
 */
export function serveEndpoint(app: HttpApp, endpoint: Endpoint, serving: EndpointContext): void {
  const media = (description: string) => ({
    description,
    content: { [endpoint.reply.type]: { schema: endpoint.reply.schema } },
  });
  const contentType = `${endpoint.reply.type}; charset=utf-8`;
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // HEAD would run the hop of its GET.
    exposeHeadRoute: false,
    ...(serving.aggregator.text === 'accumulated' ? { bodyLimit: ussdLimits.accumulatedBodyBytes } : {}),
    config: {
      aggregator: serving.aggregator.id,
      programsOnly: true,
      // In-process counters answer at once.
      limitedConcurrently: serving.deps.redis !== undefined,
      // Called for every failure, also before the body is read.
      failureForm: (error, request) => {
        const outcome = outcomeOf(error, request.aggregatorOrigin === 'limitedByPhone');
        serving.countHop(outcome, dependencyOf(error));
        if (request.dialledTenant !== null) request.dialledTenant.counted[outcome] += 1;
        const failing = request.dialledTenant ?? serving.deps.tenants.find(defaultTenant);
        if (isOurFailure(outcome)) failing?.analytics.recordFailure();
        return failureOf(endpoint, error, request);
      },
    },
    schema: {
      tags: ['ussd'],
      summary: endpoint.summary,
      ...(endpoint.form ? { consumes: ['application/x-www-form-urlencoded', 'application/json'] } : {}),
      ...describeWire(endpoint),
      response: {
        200: media('The next screen; also the message for an invalid input or an unavailable back end'),
        403: media('Not sent by this aggregator'),
        429: media('Over the rate limit'),
      },
    },
    // The adapter validates; the schema above is documentation.
    validatorCompiler: () => (value: unknown) => ({ value }),
    // The rate limit reads `aggregatorOrigin`.
    onRequest: (request, _reply, done) => {
      request.aggregatorOrigin = serving.identifyAggregator(request);
      done();
    },
    // After the rate limit, so that guessing a secret is limited, and before a body is read.
    preParsing: (request, _reply, _payload, done) => {
      if (request.aggregatorOrigin !== 'refused') {
        done();
        return;
      }
      const refuse = () => {
        serving.refusals.record(request, 'origin');
        done(new ServiceError('permission_denied', 'This caller is not known'));
      };
      if (request.admission === undefined) refuse();
      else request.admission.then(refuse, done);
    },
    handler: async (request, reply) => {
      const raw = rawOf(endpoint, request);
      const answer = await run(endpoint.decode(raw), request, reply, serving);
      // Replies of one turn are sent together: under load the kernel then notifies the caller once for many, which saves a third of the
      // CPU of a hop (49 µs instead of 68 with sessions in memory). Without load there is no wait.
      await endOfTurn();
      const { body, headers = noHeaders } = endpoint.encode(answer, raw);
      serving.countHop('answered');
      if (request.dialledTenant !== null) request.dialledTenant.counted.answered += 1;
      return reply.headers(headers).type(contentType).send(body);
    },
  });
}

const noHeaders = {};

/** The unvalidated request: body or query, and the path parameters. */
function rawOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  const sent = endpoint.method === 'GET' ? request.query : request.body;
  const raw = typeof sent === 'string' ? endpoint.readText?.(sent) : sent;
  if (endpoint.inPath.length === 0) return raw;
  const fields = isObject(raw) ? raw : {};
  return { ...fields, ...(request.params as object) };
}

async function run(
  call: AggregatorRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: EndpointContext,
): Promise<HandsetReply> {
  const { deps, aggregator, refusals, routing } = serving;
  // A hop of a single tenant is rate-limited while its session is read. Other requests change something earlier, or use other limits.
  const { onlyTenant } = routing.tenants;
  const isPlain = call.kind === 'hop' && onlyTenant !== undefined && onlyTenant.settings.limits === undefined;
  if (!isPlain) await request.admission;
  if (call.kind === 'close') {
    await endSession({ ...call, aggregator: aggregator.id }, routing);
    return { message: '', closes: true };
  }
  const { rateLimits, config } = deps;
  const found = findTenant(call, aggregator.id, routing);
  const routed = 'tenant' in found ? found : await found;
  if (routed === undefined) return { message: ussdFixedReplies.sessionExpired.slice('END '.length), closes: true };
  const { tenant, routeSaved } = routed;
  request.dialledTenant = tenant;
  const leave = tenant.limiter.enter(tenant.settings.limits);
  const refuse = () => refusals.record(request, 'phone');
  const { limits } = tenant.settings;
  const maxPerMinute = limits?.hopsPerMinute ?? config.http.RATE_LIMIT_PER_PHONE;
  const withinLimit =
    request.aggregatorOrigin === 'limitedByPhone'
      ? limitPhone(rateLimits, scoped('phone', tenant.id), call.phoneNumber, maxPerMinute, refuse)
      : request.admission;
  const admitted = routeSaved === undefined ? withinLimit : Promise.all([withinLimit, routeSaved]).then(() => {});
  const { sessionId, phoneNumber, serviceCode, text, press, network } = routed.request;
  const { elapsedTime } = reply;
  const hop: Hop = {
    aggregator: scoped(aggregator.id, tenant.id),
    sessionId,
    phoneNumber,
    serviceCode,
    text,
    press,
    network,
    arrivedAtMs: tenant.hops.clock() - elapsedTime,
    textMode: aggregator.text === 'configured' ? undefined : aggregator.text,
  };
  try {
    const hopAnswer = await runHop(hop, tenant.hops, elapsedTime, admitted);
    request.log.debug({ msisdn: hop.phoneNumber, kind: hopAnswer.kind, state: hopAnswer.state }, 'hop');
    const { shownEffect, acknowledgedEffect } = hopAnswer;
    if (acknowledgedEffect !== undefined) void deps.effectRunner.acknowledge(acknowledgedEffect, sessionId);
    if (shownEffect !== undefined)
      reply.raw.once('finish', () => void deps.effectRunner.acknowledge(shownEffect, sessionId));
    return { message: hopAnswer.reply.slice('CON '.length), closes: hopAnswer.reply.startsWith('END ') };
  } finally {
    leave();
  }
}

const texts: Readonly<Record<string, string>> = {
  invalid_argument: ussdFixedReplies.invalidInput,
  payload_too_large: ussdFixedReplies.invalidInput,
  unsupported_media_type: ussdFixedReplies.invalidInput,
  rate_limited: ussdFixedReplies.tooManyRequests,
};

/** All other failures are sent with 200: on any other status aggregators drop the session, and the user does not see the text. */
const statuses: Readonly<Record<string, number>> = { rate_limited: 429, permission_denied: 403 };

/** A failure in the form that the aggregator reads, without its cause. */
function failureOf(endpoint: Endpoint, error: ServiceError, request: FastifyRequest): RenderedError {
  const text = texts[error.code] ?? ussdFixedReplies.unavailable;
  const answer = { message: text.replace(/^END /, ''), closes: true, failure: error.status };
  const { body, headers = {} } = endpoint.encode(answer, rawOf(endpoint, request));
  return { body, headers, status: statuses[error.code] ?? 200 };
}

/** The request of an endpoint, for the API description. */
function describeWire({ method, wire, inPath, example }: Endpoint) {
  const entries = Object.entries(wire.shape) as [string, z.ZodType][];
  const isOf = (isInPath: boolean, name: string) => inPath.includes(name) === isInPath;
  const part = (isInPath: boolean) => z.object(Object.fromEntries(entries.filter(([name]) => isOf(isInPath, name))));
  const examplesOf = (isInPath: boolean) => Object.entries(example).filter(([name]) => isOf(isInPath, name));
  // A body has one example; parameters have one each.
  const inAddress = (isInPath: boolean) =>
    part(isInPath).extend(
      Object.fromEntries(examplesOf(isInPath).map(([name, value]) => [name, shownAs(wire, name, value)])),
    );
  return {
    ...(method === 'GET'
      ? { querystring: inAddress(false) }
      : { body: withExample(part(false), Object.fromEntries(examplesOf(false))) }),
    ...(inPath.length === 0 ? {} : { params: inAddress(true) }),
  };
}

function shownAs(wire: z.ZodObject, name: string, example: unknown): z.ZodType {
  return (wire.shape[name] as z.ZodType).meta({ example });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes of aggregators: failures are USSD replies. */
    failureForm?: (error: ServiceError, request: FastifyRequest) => RenderedError;
  }
}

/** Renders failures as the route specifies, else as JSON errors. */
export const renderError: RenderError = (error, request) => {
  const failureForm = request?.routeOptions.config.failureForm;
  return request === undefined || failureForm === undefined
    ? renderJsonError(error, request)
    : failureForm(error, request);
};
