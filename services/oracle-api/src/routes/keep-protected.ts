import type { HttpApp } from '@mlango/service-kit/http-app';
import type { PublicRoute } from '../plugins/plugin.js';
import { PluginError } from '../plugins/plugin-error.js';
import { isNamed } from '../plugins/public-routes.js';

/**
 * Refuses to open the routes of this scope to everybody: they answer about the caller, so there must be one.
 * @throws PluginError
 */
export function keepProtected(scope: HttpApp, authExcludedRoutes: readonly PublicRoute[]): void {
  scope.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      if (!isNamed(authExcludedRoutes, method, route.url)) continue;
      throw new PluginError(`authExcludedRoutes: ${method} ${route.url} answers about its caller, and stays protected`);
    }
  });
}
