import rateLimit from '@fastify/rate-limit';
import type { RateLimitOptions } from '@mlango/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What limited before the plugin did: a call of the store and the headers, for a request that stays below its limit. */
export function bareHook({ keyOf, maxOf, ...options }: RateLimitOptions) {
  const { store, windowMs } = options;
  const windowSeconds = Math.ceil(windowMs / 1000);
  return (request: FastifyRequest, reply: FastifyReply, done: (failure?: Error) => void): void => {
    const max = maxOf === undefined ? options.max : maxOf(request);
    if (max === undefined) {
      done();
      return;
    }
    store.hit(keyOf?.(request) ?? `ip:${addressKey(request.ip)}`, windowMs).then(({ count, resetMs }) => {
      void reply.header('ratelimit-policy', `"default";q=${max};w=${windowSeconds}`);
      void reply.header('ratelimit', `"default";r=${Math.max(0, max - count)};t=${Math.ceil(resetMs / 1000)}`);
      done(count > max ? new Error('the bench asked too often') : undefined);
    }, done);
  };
}

function addressKey(address: string): string {
  return address.includes(':') ? rateLimit.normalizeIP(address) : address;
}
