import { callbackify } from 'node:util';
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
export async function limitRate(app: HttpApp, options: RateLimitOptions): Promise<void> {
  const { keyOf, maxOf } = options;
  await app.register(rateLimit, { global: false, store: storeAdapter(options.store) });
  const count = app.createRateLimit({
    timeWindow: options.windowMs,
    max: maxOf === undefined ? options.max : async (request: FastifyRequest) => maxOf(request) ?? options.max,
    keyGenerator: (request: FastifyRequest) => keyOf?.(request) ?? `ip:${addressKey(request.ip)}`,
  });
  const windowSeconds = Math.ceil(options.windowMs / 1000);

  app.addHook('preParsing', async (request, reply) => {
    const isExempt = maxOf !== undefined && maxOf(request) === undefined;
    if (isExempt || request.routeOptions.config.probe === true) return;
    const result = await count(request);
    if (result.isAllowed) return;
    void reply.headers({
      'ratelimit-policy': `"default";q=${result.max};w=${windowSeconds}`,
      ratelimit: `"default";r=${result.remaining};t=${result.ttlInSeconds}`,
    });
    if (!result.isExceeded) return;
    throw new ServiceError('rate_limited', `Too many requests. Retry in ${Math.max(1, result.ttlInSeconds)} seconds.`, {
      headers: { 'retry-after': String(Math.max(1, result.ttlInSeconds)) },
    });
  });
}

/** One key for all addresses of an IPv6 /64, which is what one subscriber holds. */
function addressKey(address: string): string {
  return rateLimit.normalizeIP(address);
}

interface PluginCount {
  readonly current: number;
  /** Milliseconds until the window ends. */
  readonly ttl: number;
}

/** Lets the plugin count in a `RateLimitStore`. */
function storeAdapter(store: RateLimitStore) {
  const hit = callbackify(async (key: string, windowMs: number): Promise<PluginCount> => {
    const { count, resetMs } = await store.hit(key, windowMs);
    return { current: count, ttl: resetMs };
  });
  return class {
    incr(key: string, done: (error: Error | null, result?: PluginCount) => void, windowMs = 60_000): void {
      hit(key, windowMs, done);
    }

    child(): this {
      return this;
    }
  };
}
