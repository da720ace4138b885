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
      done(tooManyRequests(ttlInSeconds));
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
    if (count > max) throw tooManyRequests(Math.ceil(resetMs / 1000));
  };
}

function rateKey(request: FastifyRequest, keyOf: RateLimitOptions['keyOf']): string {
  return keyOf?.(request) ?? `ip:${addressKey(request.ip)}`;
}

type PluginStore = NonNullable<RateLimitPluginOptions['store']>;
type Store = InstanceType<PluginStore>;

/** A store of ours as `@fastify/rate-limit` takes them: a class, with a child for each limit of its own. */
export function pluginStore(store: RateLimitStore): PluginStore {
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

/** A limit of a route counts apart. The route is handed over within the limit's settings, otherwise than the plugin's types say. */
function prefixOf(limit: object): string {
  const route = 'routeInfo' in limit ? limit.routeInfo : undefined;
  if (typeof route !== 'object' || route === null || !('method' in route) || !('url' in route)) return '';
  return `${String(route.method)} ${String(route.url)} `;
}

/**
 * Takes from the allowance of an address, or of what stands for one, what a request is about to use.
 * @throws ServiceError `rate_limited` when there is not so much left
 */
export async function takeOrRefuse(from: Allowance, holder: string, times = 1): Promise<void> {
  const taken = await from.take(holder, times);
  if (!taken.ok) throw tooManyRequests(taken.retryAfterSeconds, 'address');
}

type Send = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Answers a failure once the limit is known: whoever is over it hears of that, and of nothing else. */
export function refusalFirst(send: Send) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> =>
    request.admission === undefined
      ? send(thrown, request, reply)
      : request.admission.then(
          () => send(thrown, request, reply),
          (refusal: unknown) => send(refusal, request, reply),
        );
}
