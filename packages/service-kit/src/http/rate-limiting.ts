import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/service-error.js';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.js';
import type { HttpApp } from './http-app-type.js';

export interface RateLimitOptions {
  /** Requests per window for one key. */
  readonly max: number;
  readonly windowMs: number;
  readonly store: RateLimitStore;
  /** Who is counted; the caller's address (an IPv6 one by its /64) unless it returns a key. */
  readonly keyOf?: (request: FastifyRequest) => string | undefined;
  /** The limit for this request, where not everybody has the same; undefined lets it pass uncounted. */
  readonly maxOf?: (request: FastifyRequest) => number | undefined;
}

/**
 * Limits every route but probes, unknown paths included, and tells each caller where it stands with the headers of the
 * IETF draft "RateLimit header fields for HTTP": `RateLimit-Policy`, `RateLimit`, and `Retry-After` on a refusal.
 * It runs after all onRequest hooks, so that a service can find out who calls first, and before a body is read.
 */
export function limitRate(app: HttpApp, options: RateLimitOptions): void {
  const { keyOf, maxOf, store, windowMs } = options;
  const windowSeconds = Math.ceil(windowMs / 1000);

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const max = maxOf === undefined ? options.max : maxOf(request);
    if (max === undefined || request.routeOptions.config.probe === true) {
      done();
      return;
    }
    store.hit(rateKey(request, keyOf), windowMs).then(({ count, resetMs }) => {
      const resetSeconds = Math.ceil(resetMs / 1000);
      void reply.header('ratelimit-policy', `"default";q=${max};w=${windowSeconds}`);
      void reply.header('ratelimit', `"default";r=${Math.max(0, max - count)};t=${resetSeconds}`);
      done(count > max ? tooMany(resetSeconds) : null);
    }, done);
  });
}

/**
 * Counts what a request asks for beyond itself, such as the further queries of a batch, as if they had come alone.
 * The function rejects with `rate_limited` when the caller's limit is passed.
 */
export function countFurther({ keyOf, maxOf, max: maxOfAll, store, windowMs }: RateLimitOptions) {
  return async (request: FastifyRequest, times: number): Promise<void> => {
    const max = maxOf === undefined ? maxOfAll : maxOf(request);
    if (max === undefined || times < 1) return;
    const { count, resetMs } = await store.hit(rateKey(request, keyOf), windowMs, times);
    if (count > max) throw tooMany(Math.ceil(resetMs / 1000));
  };
}

function rateKey(request: FastifyRequest, keyOf: RateLimitOptions['keyOf']): string {
  return keyOf?.(request) ?? `ip:${addressKey(request.ip)}`;
}

function tooMany(resetSeconds: number): ServiceError {
  const seconds = Math.max(1, resetSeconds);
  return new ServiceError('rate_limited', `Too many requests. Retry in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** One key for all addresses of an IPv6 /64, which is what one subscriber holds. */
function addressKey(address: string): string {
  return address.includes(':') ? rateLimit.normalizeIP(address) : address;
}
