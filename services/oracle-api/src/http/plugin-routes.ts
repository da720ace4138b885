import { jsonError } from '@mlango/schemas/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import { type ConverseParts, converseWith } from '../agent/converse.js';
import type { AddressAllowances } from '../limits.js';
import { PluginError } from '../plugins/api/plugin-error.js';
import type { PluginHost } from '../plugins/host/plugin-host.js';
import { inPlugin } from '../plugins/host/plugin-isolation.js';
import type { HostedRoutes } from '../plugins/host/plugin-routes.js';
import { errorReplies } from './errors.js';
import { requireCaller } from './hooks/require-auth-scope.js';
import { protection } from './openapi.js';

interface PluginRoutesDeps extends ConverseParts {
  readonly plugins: Pick<PluginHost, 'routes' | 'checkExcludedRoutes'>;
  readonly rateLimit: { readonly store: RateLimitStore };
  readonly addresses: Pick<AddressAllowances, 'requests' | 'turns'>;
}

/**
 * Registers the routes of each plugin in its own scope, so that its hooks affect no other routes. Requires authentication unless the route
 * is public, and adds the common error replies to its description.
 * @throws PluginError for a route that exists already or is invalid
 */
export async function pluginRoutes(app: HttpApp, deps: PluginRoutesDeps): Promise<void> {
  const services = { converse: converseWith(deps), counts: deps.rateLimit.store };
  for (const hosted of deps.plugins.routes(services)) {
    for (const routes of hosted.routes) await registerScope(app, hosted, routes, deps);
    hosted.onRegistered();
  }
  deps.plugins.checkExcludedRoutes();
}

async function registerScope(
  app: HttpApp,
  hosted: HostedRoutes,
  routes: HostedRoutes['routes'][number],
  { addresses }: PluginRoutesDeps,
) {
  try {
    await app.register(async (scope: HttpApp) => {
      // A route may have several methods, some of them public. A request without a route gets the plugin's own not-found reply.
      requireCaller(scope, addresses.requests, ({ method, routeOptions: { url } }) => {
        return url === undefined || !hosted.isPublic(method, url);
      });
      scope.addHook('onRequest', (request, _reply, next) => {
        if (request.caller) hosted.onCaller(request, request.caller.did);
        inPlugin(hosted.plugin, next);
      });
      scope.addHook('onRoute', (route) => {
        const methods = [route.method].flat();
        // All methods of a route share one description.
        const isPublic = methods.every((method) => hosted.isPublic(method, route.url));
        for (const method of methods) hosted.onRoute(method, route.url);
        const { schema = {} } = route;
        const { security, replies } = protection(scope, route);
        const ofAll = isPublic ? errorReplies() : { 401: jsonError, ...replies, ...errorReplies() };
        route.schema = {
          tags: [hosted.plugin],
          ...schema,
          ...(isPublic ? {} : { security }),
          ...(schema.response === undefined ? {} : { response: { ...ofAll, ...schema.response } }),
        };
      });
      await inPlugin(hosted.plugin, () => routes(scope));
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it threw a value that is not an error';
    throw new PluginError(`plugin "${hosted.plugin}": ${reason}`, { cause });
  }
}
