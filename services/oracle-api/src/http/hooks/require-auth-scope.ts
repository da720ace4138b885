import { addressKey, type HttpApp, takeOrRefuse } from '@mlango/service-kit/http-app';
import type { Allowance } from '@mlango/service-kit/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { AddressAllowances } from '../../limits.js';
import type { PublicRoute } from '../../plugins/api/plugin.js';
import { PluginError } from '../../plugins/api/plugin-error.js';
import { isNamed } from '../../plugins/host/plugin-routes.js';
import { protection } from '../openapi.js';

/**
 * Requires authentication on the routes of this scope. The order is: allowance of the address (before any token is verified, so that
 * made-up users gain nothing), authentication, rate limit of the user, refusal. So refused callers are counted by their address.
 *
 * @param requests allowance of an address for all its callers
 * @param isProtected false for public routes: their headers are not read
 */
export function requireCaller(
  scope: HttpApp,
  requests: Allowance,
  isProtected: (request: FastifyRequest) => boolean = () => true,
): void {
  const refusals = new WeakMap<FastifyRequest, Error>();
  scope.addHook('onRequest', async (request, reply) => {
    if (!isProtected(request)) return;
    await takeOrRefuse(requests, addressKey(request.ip));
    try {
      const isByKey = await scope.takeApiKey(request);
      if (!isByKey) await scope.requireUcan.call(scope, request, reply);
    } catch (error) {
      refusals.set(request, error instanceof Error ? error : new Error('authentication failed', { cause: error }));
    }
  });
  scope.addHook('preParsing', async (request) => {
    const refusal = refusals.get(request);
    if (refusal !== undefined) throw refusal;
  });
}

interface AuthScopeDeps {
  readonly addresses: Pick<AddressAllowances, 'requests'>;
  readonly plugins: { readonly authExcludedRoutes: readonly PublicRoute[] };
}

/**
 * Requires authentication on the routes of this scope, refuses to make them public, and describes them as protected, because their replies
 * are about the caller.
 * @throws PluginError
 */
export function requireAuthScope(scope: HttpApp, { addresses, plugins: { authExcludedRoutes } }: AuthScopeDeps): void {
  requireCaller(scope, addresses.requests);
  scope.addHook('onRoute', (route) => {
    const { security, replies } = protection(scope, route);
    const { response } = route.schema ?? {};
    route.schema = {
      ...route.schema,
      security,
      ...(typeof response === 'object' && { response: { ...replies, ...response } }),
    };
    for (const method of [route.method].flat()) {
      if (!isNamed(authExcludedRoutes, method, route.url)) continue;
      throw new PluginError(`authExcludedRoutes: ${method} ${route.url} answers about its caller, and stays protected`);
    }
  });
}
