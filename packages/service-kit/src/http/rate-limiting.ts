import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Allowance } from '../rate-limit/allowance.js';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.js';
import { addressKey } from './address-key.js';
import type { HttpApp } from './http-app-type.js';
import { pluginStore } from './rate-limit-plugin-store.js';
import { takeOrRefuse, tooMany } from './take-or-refuse.js';

export interface RateLimitOptions {
  /** Requests per window for one key. */
  readonly max: number;
  readonly windowMs: number;
  readonly store: RateLimitStore;
  /** Who is counted; the caller's address (an IPv6 one by its /64) unless it returns a key. */
  readonly keyOf?: (request: FastifyRequest) => string | undefined;
  /** The limit for this request, one of a few, where not everybody has the same; undefined lets it pass uncounted. */
  readonly maxOf?: (request: FastifyRequest) => number | undefined;
  /** What all callers of one address may ask together, whoever they are, where that is limited too. */
  readonly perAddress?: Allowance;
  /** Told of each refusal, before it is answered. */
  readonly onRefused?: (request: FastifyRequest) => void;
}

/** Calls back with the refusal, or with why nobody could count. */
type LimitHook = (request: FastifyRequest, reply: FastifyReply, done: (failure?: Error) => void) => void;

/**
 * Limits every route but probes, unknown paths included, and tells each caller where it stands with the headers of the
 * IETF draft "RateLimit header fields for HTTP": `RateLimit-Policy`, `RateLimit`, and `Retry-After` on a refusal.
 * It runs after all onRequest hooks, so that a service can find out who calls first, and before a body is read.
 * Routes with `limitedBeside` go on meanwhile, but for a while after a refusal: whoever asks too much is to cost no more than the count.
 */
export async function limitRate(app: HttpApp, options: RateLimitOptions): Promise<void> {
  let waitsUntilMs = Number.NEGATIVE_INFINITY;
  const onRefused: RateLimitOptions['onRefused'] = (request) => {
    waitsUntilMs = performance.now() + waitsMs;
    options.onRefused?.(request);
  };
  const limit = await rateLimitHook(app, { ...options, onRefused });
  app.decorateRequest('admission', undefined);
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { probe, limitedBeside } = request.routeOptions.config;
    if (probe === true) {
      done();
      return;
    }
    if (limitedBeside !== true || performance.now() < waitsUntilMs) {
      limit(request, reply, done);
      return;
    }
    request.admission = new Promise((resolve, reject) => {
      limit(request, reply, (failure) => (failure === undefined ? resolve() : reject(failure)));
    });
    // Nobody may be waiting for it yet.
    request.admission.catch(() => {});
    done();
  });
}

/** After a refusal nobody's request goes on before it is counted, for so long. */
const waitsMs = 1000;

/**
 * Registers `@fastify/rate-limit` and gives the one hook that asks it. Put on each route by itself, the plugin would run after
 * the route's own hooks, miss the paths that are no routes, and know only older headers. A route may have a limit of its own
 * beside that of all, as the plugin has it: `config.rateLimit`.
 */
export async function rateLimitHook(app: HttpApp, options: RateLimitOptions): Promise<LimitHook> {
  const { keyOf, max: maxOfAll, maxOf = () => maxOfAll, store, windowMs, onRefused } = options;
  await app.register(rateLimit, {
    global: false,
    hook: 'preParsing',
    store: pluginStore(store),
    timeWindow: windowMs,
    max: maxOfAll,
    keyGenerator: (request) => rateKey(request, keyOf),
    errorResponseBuilder: (_request, { ttl }) => tooMany(Math.ceil(ttl / 1000)),
    addHeaders: noHeaders,
    addHeadersOnExceeding: noHeaders,
  });
  const windowSeconds = Math.ceil(windowMs / 1000);
  const limits = new Map<number, Limit>();
  const limitOf = (max: number): Limit => {
    const known = limits.get(max);
    if (known !== undefined) return known;
    const limit = { count: app.createRateLimit({ max }), policy: `"default";q=${max};w=${windowSeconds}` };
    limits.set(max, limit);
    return limit;
  };

  // Who is limited, and by how much, is asked here: every request would wait for a function of the plugin's.
  return (request, reply, done) => {
    const max = maxOf(request);
    if (max === undefined) {
      done();
      return;
    }
    const { count, policy } = limitOf(max);
    count(request).then((standing) => {
      if (standing.isAllowed) return done();
      const { remaining, ttlInSeconds } = standing;
      void reply.header('ratelimit-policy', policy);
      void reply.header('ratelimit', `"default";r=${remaining};t=${ttlInSeconds}`);
      if (!standing.isExceeded) return done();
      onRefused?.(request);
      done(tooMany(ttlInSeconds));
    }, done);
  };
}

/** One `max`: they are few, so that what can be made once for each is kept. */
interface Limit {
  readonly count: ReturnType<HttpApp['createRateLimit']>;
  /** As `RateLimit-Policy` tells it. */
  readonly policy: string;
}

/** The plugin's headers, which say the same in an older form. */
const noHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
};

/**
 * Counts what a request asks for beyond itself, such as the further queries of a batch, as if they had come alone.
 * The function rejects with `rate_limited` when the caller's limit is passed.
 */
export function countFurther({ keyOf, maxOf, max: maxOfAll, store, windowMs, perAddress }: RateLimitOptions) {
  return async (request: FastifyRequest, times: number): Promise<void> => {
    const max = maxOf === undefined ? maxOfAll : maxOf(request);
    if (max === undefined || times < 1) return;
    if (perAddress !== undefined) await takeOrRefuse(perAddress, addressKey(request.ip), times);
    const { count, resetMs } = await store.hit(rateKey(request, keyOf), windowMs, times);
    if (count > max) throw tooMany(Math.ceil(resetMs / 1000));
  };
}

function rateKey(request: FastifyRequest, keyOf: RateLimitOptions['keyOf']): string {
  return keyOf?.(request) ?? `ip:${addressKey(request.ip)}`;
}
