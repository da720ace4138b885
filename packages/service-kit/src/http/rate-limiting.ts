import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../errors/service-error.js';
import type { Allowance, RateLimitStore } from '../rate-limit/rate-limit-store.js';
import { addressKey } from './client-address.js';
import type { HttpApp } from './http-app-type.js';

export interface RateLimitOptions {
  /** Requests per window for one key. */
  readonly max: number;
  readonly windowMs: number;
  readonly store: RateLimitStore;
  /** The key to count under. Default: the caller's address (IPv6 by its /64). */
  readonly keyOf?: (request: FastifyRequest) => string | undefined;
  /** The limit of this request, one of a few values; undefined: not counted. Default: `max`. */
  readonly maxOf?: (request: FastifyRequest) => number | undefined;
  /** Limit of all callers of one address together. */
  readonly perAddress?: Allowance;
  /** Called for each refusal, before the reply. */
  readonly onRefused?: (request: FastifyRequest) => void;
}

/** Calls back with the refusal, or with the failure of the store. */
type LimitHook = (request: FastifyRequest, reply: FastifyReply, done: (failure?: Error) => void) => void;

/**
 * Limits every route but probes, unknown paths included, and reports the limit with the headers of the IETF draft "RateLimit
 * header fields for HTTP": `RateLimit-Policy`, `RateLimit`, and `Retry-After` on a refusal. It runs after all onRequest hooks,
 * which identify the caller, and before a body is read. Routes with `limitedConcurrently` run concurrently, except for one second after
 * a refusal, so that a caller over the limit costs no more than the count.
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
    const { probe, limitedConcurrently } = request.routeOptions.config;
    if (probe === true) {
      done();
      return;
    }
    if (limitedConcurrently !== true || performance.now() < waitsUntilMs) {
      limit(request, reply, done);
      return;
    }
    request.admission = new Promise((resolve, reject) => {
      limit(request, reply, (failure) => (failure === undefined ? resolve() : reject(failure)));
    });
    // Avoids an unhandled rejection before the handler awaits it.
    request.admission.catch(() => {});
    done();
  });
}

/** After a refusal, how long requests wait for the count, in ms. */
const waitsMs = 1000;

/**
 * Registers `@fastify/rate-limit` and returns one hook that applies it. Registered per route, the plugin would run after the route's
 * own hooks, miss unknown paths, and send older headers only. A route may have a further limit: `config.rateLimit`.
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
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(Math.ceil(ttl / 1000)),
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

  // Key and limit are computed here: an async option of the plugin would delay every request.
  return (request, reply, done) => {
    const max = maxOf(request);
    if (max === undefined) {
      done();
      return;
    }
    const { count, policy } = limitOf(max);
    count(request).then((counted) => {
      if (counted.isAllowed) return done();
      const { remaining, ttlInSeconds } = counted;
      void reply.header('ratelimit-policy', policy);
      void reply.header('ratelimit', `"default";r=${remaining};t=${ttlInSeconds}`);
      if (!counted.isExceeded) return done();
      onRefused?.(request);
      done(tooManyRequests(ttlInSeconds));
    }, done);
  };
}

/** Values computed once for each `max`. */
interface Limit {
  readonly count: ReturnType<HttpApp['createRateLimit']>;
  /** Value of the header `RateLimit-Policy`. */
  readonly policy: string;
}

/** Turns off the plugin's headers of an older form. */
const noHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
};

/**
 * Counts the further items of a request, such as the queries of a batch, like single requests.
 * The function rejects with `rate_limited` if the caller's limit is exceeded.
 */
export function countExtraRequests({ keyOf, maxOf, max: maxOfAll, store, windowMs, perAddress }: RateLimitOptions) {
  return async (request: FastifyRequest, times: number): Promise<void> => {
    const max = maxOf === undefined ? maxOfAll : maxOf(request);
    if (max === undefined || times < 1) return;
    if (perAddress !== undefined) await takeOrRefuse(perAddress, addressKey(request.ip), times);
    const { count, resetMs } = await store.hit(rateKey(request, keyOf), windowMs, times);
    if (count > max) throw tooManyRequests(Math.ceil(resetMs / 1000));
  };
}

function rateKey(request: FastifyRequest, keyOf: RateLimitOptions['keyOf']): string {
  return keyOf?.(request) ?? `ip:${addressKey(request.ip)}`;
}

type PluginStore = NonNullable<RateLimitPluginOptions['store']>;
type Store = InstanceType<PluginStore>;

/** Adapts a RateLimitStore to `@fastify/rate-limit`: a class, with a child for each route limit. */
function pluginStore(store: RateLimitStore): PluginStore {
  return class Counts implements Store {
    readonly #prefix: string;

    constructor(limit: object) {
      this.#prefix = prefixOf(limit);
    }

    incr(key: string, callback: Parameters<Store['incr']>[1], windowMs: number): void {
      store.hit(`${this.#prefix}${key}`, windowMs).then(
        ({ count, resetMs }) => callback(null, { current: count, ttl: resetMs }),
        (error: unknown) => callback(error instanceof Error ? error : new Error('the store failed', { cause: error })),
      );
    }

    child(limit: object): Counts {
      return new Counts(limit);
    }
  };
}

/** Key prefix of a route limit. The plugin passes the route within the settings, contrary to its types. */
function prefixOf(limit: object): string {
  const route = 'routeInfo' in limit ? limit.routeInfo : undefined;
  if (typeof route !== 'object' || route === null || !('method' in route) || !('url' in route)) return '';
  return `${String(route.method)} ${String(route.url)} `;
}

/**
 * Takes from the allowance of an address or another holder.
 * @throws ServiceError `rate_limited` if too little is left
 */
export async function takeOrRefuse(from: Allowance, holder: string, times = 1): Promise<void> {
  const taken = await from.take(holder, times);
  if (!taken.ok) throw tooManyRequests(taken.retryAfterSeconds, 'address');
}

type Send = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Sends an error once the rate limit is known: a caller over the limit gets that refusal instead. */
export function refusalFirst(send: Send) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> =>
    request.admission === undefined
      ? send(thrown, request, reply)
      : request.admission.then(
          () => send(thrown, request, reply),
          (refusal: unknown) => send(refusal, request, reply),
        );
}
