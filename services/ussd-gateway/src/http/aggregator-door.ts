import { ussdFixedReplies, ussdLimits } from '@mlango/schemas/ussd';
import { type RenderedError, ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Aggregator, Asked, Door, Said } from '../aggregators/adapter.js';
import type { CountHop } from '../analytics/hop-counts.js';
import { dependencyOf, isOurFailure, outcomeOf } from '../analytics/hop-outcome.js';
import type { Deps } from '../deps.js';
import { answerUnderLock } from '../sessions/answer-under-lock.js';
import type { Hop } from '../sessions/hop.js';
import { lineOf } from '../sessions/line.js';
import { endSession, type Routing, serviceOf } from '../tenants/route-session.js';
import type { Service } from '../tenants/service.js';
import { defaultService } from '../tenants/services-file.js';
import type { AggregatorCaller } from './aggregator-origin.js';
import { describeWire } from './describe-wire.js';
import { endOfTurn } from './end-of-turn.js';
import { limitPhone } from './limit-phone.js';
import type { Refusals } from './refusals.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose code was dialled; null before that is known. */
    dialledService: Service | null;
  }
}

export interface DoorServing {
  readonly deps: Deps;
  readonly routing: Routing;
  readonly countHop: CountHop;
  readonly refusals: Refusals;
  readonly aggregator: Aggregator;
  readonly whoCalls: (request: FastifyRequest) => AggregatorCaller;
}

/** Serves one endpoint: who calls, what is asked, the hop or the end of a session, and the reply in the caller's form. */
export function answerDoor(app: HttpApp, door: Door, serving: DoorServing): void {
  const media = (description: string) => ({
    description,
    content: { [door.reply.type]: { schema: door.reply.schema } },
  });
  const contentType = `${door.reply.type}; charset=utf-8`;
  app.route({
    method: door.method,
    url: door.path,
    // A HEAD would run the hop of its GET.
    exposeHeadRoute: false,
    ...(serving.aggregator.text === 'accumulated' ? { bodyLimit: ussdLimits.accumulatedBodyBytes } : {}),
    config: {
      aggregator: serving.aggregator.id,
      programsOnly: true,
      // Counts of this process are there at once.
      limitedBeside: serving.deps.redis !== undefined,
      // Every failure of a request comes by here, those before its body was read and its handler called included.
      failureForm: (error, request) => {
        const outcome = outcomeOf(error, request.aggregatorCaller === 'gateway');
        serving.countHop(outcome, dependencyOf(error));
        if (request.dialledService !== null) request.dialledService.counted[outcome] += 1;
        const failing = request.dialledService ?? serving.deps.services.find(defaultService);
        if (isOurFailure(outcome)) failing?.analytics.recorder.sawFailure();
        return failureOf(door, error, request);
      },
    },
    schema: {
      tags: ['ussd'],
      summary: door.summary,
      ...(door.form ? { consumes: ['application/x-www-form-urlencoded', 'application/json'] } : {}),
      ...describeWire(door),
      response: {
        200: media('The next screen; also what the user is told when the input is invalid or a back end is away'),
        403: media('Not sent by this aggregator'),
        429: media('Over the rate limit'),
      },
    },
    // What is sent is judged once, by the adapter; the schema above describes it.
    validatorCompiler: () => (value: unknown) => ({ value }),
    // Before the rate limit, which asks for it.
    onRequest: (request, _reply, done) => {
      request.aggregatorCaller = serving.whoCalls(request);
      done();
    },
    // After the rate limit, so that guesses at a secret are limited too, and before a body is read.
    preParsing: (request, _reply, _payload, done) => {
      if (request.aggregatorCaller !== 'stranger') {
        done();
        return;
      }
      const refuse = () => {
        serving.refusals.saw(request, 'origin');
        done(new ServiceError('permission_denied', 'This caller is not known'));
      };
      if (request.admission === undefined) refuse();
      else request.admission.then(refuse, done);
    },
    handler: async (request, reply) => {
      const raw = rawOf(door, request);
      const said = await run(door.decode(raw), request, reply, serving);
      await endOfTurn();
      const { body, headers = noHeaders } = door.encode(said, raw);
      serving.countHop('answered');
      if (request.dialledService !== null) request.dialledService.counted.answered += 1;
      return reply.headers(headers).type(contentType).send(body);
    },
  });
}

const noHeaders = {};

/** The parts of a request as they were sent, not judged yet: the body or the query, and what stands in the path. */
function rawOf(door: Door, request: FastifyRequest): unknown {
  const sent = door.method === 'GET' ? request.query : request.body;
  const raw = typeof sent === 'string' ? door.readText?.(sent) : sent;
  if (door.inPath.length === 0) return raw;
  const fields = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {};
  return { ...fields, ...(request.params as object) };
}

async function run(asked: Asked, request: FastifyRequest, reply: FastifyReply, serving: DoorServing): Promise<Said> {
  const { deps, aggregator, refusals, routing } = serving;
  // A hop of the only service waits for it while its session is read. Everything else changes something before, or counts in other limits.
  const { only } = routing.services;
  const isPlain = asked.kind === 'hop' && only !== undefined && only.settings.limits === undefined;
  if (!isPlain) await request.admission;
  if (asked.kind === 'close') {
    await endSession({ ...asked, aggregator: aggregator.id }, routing);
    return { message: '', closes: true };
  }
  const { rateLimits, config } = deps;
  const found = serviceOf(asked, aggregator.id, routing);
  const routed = 'service' in found ? found : await found;
  if (routed === undefined) return { message: ussdFixedReplies.sessionExpired.slice('END '.length), closes: true };
  const { service, noted } = routed;
  request.dialledService = service;
  const leave = service.gate.enter(service.settings.limits);
  const refuse = () => refusals.saw(request, 'phone');
  const { limits } = service.settings;
  const most = limits?.hopsPerMinute ?? config.RATE_LIMIT_PER_PHONE;
  const limited =
    request.aggregatorCaller === 'gateway'
      ? limitPhone(rateLimits, lineOf('phone', service.id), asked.phoneNumber, most, refuse)
      : request.admission;
  const admitted = noted === undefined ? limited : Promise.all([limited, noted]).then(() => {});
  const { sessionId, phoneNumber, serviceCode, text, press, network } = routed.asked;
  const { elapsedTime } = reply;
  const hop: Hop = {
    aggregator: lineOf(aggregator.id, service.id),
    sessionId,
    phoneNumber,
    serviceCode,
    text,
    press,
    network,
    arrivedMs: service.hops.clock() - elapsedTime,
    textMode: aggregator.text === 'configured' ? undefined : aggregator.text,
  };
  try {
    const answer = await answerUnderLock(hop, service.hops, elapsedTime, admitted);
    request.log.debug({ msisdn: hop.phoneNumber, kind: answer.kind, state: answer.state }, 'hop');
    const { untold, read } = answer;
    if (read !== undefined) void deps.acts.told(read);
    if (untold !== undefined) reply.raw.once('finish', () => void deps.acts.told(untold));
    return { message: answer.reply.slice('CON '.length), closes: answer.reply.startsWith('END ') };
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

/** Told by their status too; nothing else is: gateways drop the session on it, and nobody would see the text. */
const statuses: Readonly<Record<string, number>> = { rate_limited: 429, permission_denied: 403 };

/** A failure in the form that the gateway reads, for the user to see. Nothing of its cause shows. */
function failureOf(door: Door, error: ServiceError, request: FastifyRequest): RenderedError {
  const text = texts[error.code] ?? ussdFixedReplies.unavailable;
  const said = { message: text.replace(/^END /, ''), closes: true, failure: error.status };
  const { body, headers = {} } = door.encode(said, rawOf(door, request));
  return { body, headers, status: statuses[error.code] ?? 200 };
}
