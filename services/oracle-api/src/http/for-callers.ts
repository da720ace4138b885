import type { HttpApp } from '@mlango/service-kit/http-app';
import type { AddressAllowances } from '../address-allowances.js';
import type { PublicRoute } from '../plugins/api/plugin.js';
import { PluginError } from '../plugins/api/plugin-error.js';
import { isNamed } from '../plugins/host/public-routes.js';
import { protection } from './api-description.js';
import { requireCaller } from './require-caller.js';

interface ForCallersDeps {
  readonly addresses: Pick<AddressAllowances, 'requests'>;
  readonly plugins: { readonly authExcludedRoutes: readonly PublicRoute[] };
}

/**
 * Lets only authenticated callers into the routes of this scope, refuses to open them to everybody, and describes them as protected: they
 * answer about the caller, so there must be one.
 * @throws PluginError
 */
export function forCallers(scope: HttpApp, { addresses, plugins: { authExcludedRoutes } }: ForCallersDeps): void {
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
