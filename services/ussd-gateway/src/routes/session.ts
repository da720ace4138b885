import { sha256Hex } from '@mlango/crypto/hashing';
import { type UssdRequest, ussdReply, ussdRequestSchema } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { Deps } from '../deps.js';
import { takeHop } from '../sessions/take-hop.js';

const text = (description: string) => ({ description, content: { 'text/plain': { schema: ussdReply } } });
const minuteMs = 60_000;

/** `POST /api/ussd`: one hop, in the gateway's own JSON. */
export function sessionRoute(app: HttpApp, deps: Deps, isTrusted: (address: string) => boolean): void {
  const { config } = deps;
  const hops = deps.metrics.counter({
    name: 'ussd_hops_total',
    help: 'Hops by what they were and the screen they led to.',
    labelNames: ['kind', 'state'],
  });
  app.post(
    '/api/ussd',
    {
      config: { hop: true },
      schema: {
        tags: ['ussd'],
        summary: 'One hop of a USSD session',
        body: ussdRequestSchema({ serviceCodeLevels: config.SERVICE_CODE_LEVELS }),
        response: {
          200: text('The next screen; also what the user is told when the input is invalid or a back end is away'),
          429: text('Over the rate limit'),
        },
      },
    },
    async (request, reply) => {
      if (isTrusted(request.ip)) await limitPhone(deps.rateLimits, request.body, config.RATE_LIMIT_PER_PHONE);
      const answer = await takeHop(request.body, deps.hops, reply.elapsedTime);
      request.log.debug({ msisdn: request.body.phoneNumber, kind: answer.kind, state: answer.state }, 'hop');
      hops.inc({ kind: answer.kind, state: answer.state ?? 'none' });
      return reply.type('text/plain; charset=utf-8').send(answer.reply);
    },
  );
}

/** @throws {ServiceError} `rate_limited`. */
async function limitPhone(store: RateLimitStore, hop: UssdRequest, max: number): Promise<void> {
  // The digest keeps numbers out of the keys of a shared store.
  const { count, resetMs } = await store.hit(`phone:${sha256Hex(hop.phoneNumber).slice(0, 32)}`, minuteMs);
  if (count <= max) return;
  const retryAfter = String(Math.max(1, Math.ceil(resetMs / 1000)));
  throw new ServiceError('rate_limited', 'Too many requests', { headers: { 'retry-after': retryAfter } });
}
