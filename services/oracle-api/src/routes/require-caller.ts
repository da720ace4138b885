import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyRequest } from 'fastify';

/**
 * Lets only authenticated callers into the routes of this scope. Who calls is found out before the rate limit, which counts
 * by user; who is refused is told after it, so that refused callers are counted too, by their address.
 *
 * @param isProtected leaves out routes for everybody, whose requests' headers are not looked at.
 */
export function requireCaller(scope: HttpApp, isProtected: (request: FastifyRequest) => boolean = () => true): void {
  const refusals = new WeakMap<FastifyRequest, Error>();
  scope.addHook('onRequest', async (request, reply) => {
    if (!isProtected(request)) return;
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
