import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';

/**
 * Lets only authenticated callers into the routes of this scope. Who calls is found out before the rate limit, which counts
 * by user; who is refused is told after it, so that refused callers are counted too, by their address.
 */
export function requireCaller(scope: HttpApp): void {
  const refusals = new WeakMap<FastifyRequest, Error>();
  scope.addHook('onRequest', async (request, reply) => {
    try {
      await scope.requireUcan.call(scope, request, reply);
    } catch (error) {
      refusals.set(request, error instanceof Error ? error : new Error('authentication failed', { cause: error }));
    }
  });
  scope.addHook('preParsing', async (request) => {
    const refusal = refusals.get(request);
    if (refusal !== undefined) throw refusal;
  });
}
