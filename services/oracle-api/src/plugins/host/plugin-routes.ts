import type { ConverseOfPlugin } from '../../agent/converse.js';
import type { PluginRoutes, PublicRoute, RouteServices } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import type { Callers } from './plugin-grants.js';
import { type ActivePlugin, atPluginStart } from './plugin-start.js';
import { returnedPublicRoutes, returnedRoutes } from './returned-values.js';

/** Routes of one plugin, and which of them are public. */
export interface HostedRoutes {
  readonly plugin: string;
  readonly routes: readonly PluginRoutes[];
  isPublic(method: string, path: string): boolean;
  /** Called for each authenticated request, before any code of the plugin runs. */
  onCaller(request: object, did: string): void;
  /** Called for each registered route. */
  onRoute(method: string, path: string): void;
  /** Called after the routes are registered. @throws PluginError for a public route that does not exist. */
  onRegistered(): void;
}

/** The registered routes of all plugins, checked against the routes that are declared public. */
export class PluginRouteTable {
  readonly #authExcludedRoutes: readonly PublicRoute[];
  readonly #callers: Callers;
  readonly #routes = new Map<string, { readonly method: string; readonly path: string }[]>();

  /** @param authExcludedRoutes public routes that the operator adds to those of the plugins */
  constructor(authExcludedRoutes: readonly PublicRoute[], callers: Callers) {
    this.#authExcludedRoutes = authExcludedRoutes;
    this.#callers = callers;
  }

  host({ name, plugin, boot }: ActivePlugin, services: HostServices): HostedRoutes {
    const declared = atPluginStart(name, () => returnedPublicRoutes(plugin.getAuthExcludedRoutes?.(boot)));
    const open = [...declared, ...this.#authExcludedRoutes];
    this.#routes.set(name, []);
    return {
      plugin: name,
      routes: atPluginStart(name, () =>
        returnedRoutes(plugin.getRoutes?.({ ...boot, ...routeServices(name, services) })),
      ),
      isPublic: (method, path) => isNamed(open, method, path),
      onCaller: (request, did) => this.#callers.add(request, { did }),
      onRoute: (method, path) => this.#routes.get(name)?.push({ method, path }),
      onRegistered: () => {
        const missing = declared.find((route) => !this.#has(route, [name]));
        if (missing !== undefined)
          throw new PluginError(unknownRoute(`plugin "${name}": getAuthExcludedRoutes`, missing));
      },
    };
  }

  /** @throws PluginError for a route of the operator that no plugin has. */
  checkExcluded(): void {
    const missing = this.#authExcludedRoutes.find((route) => !this.#has(route, [...this.#routes.keys()]));
    if (missing !== undefined) throw new PluginError(unknownRoute('authExcludedRoutes', missing));
  }

  /** `GET /path` of each route of a plugin. */
  namesOf(plugin: string): string[] {
    const routes = this.#routes.get(plugin) ?? [];
    return routes.filter(({ method }) => method !== 'HEAD').map(({ method, path }) => `${method} ${path}`);
  }

  #has(route: PublicRoute, plugins: readonly string[]): boolean {
    const routes = plugins.flatMap((name) => this.#routes.get(name) ?? []);
    // Fastify adds the HEAD route of a GET route later.
    const withHead = routes.flatMap((one) =>
      one.method.toUpperCase() === 'GET' ? [one, { ...one, method: 'HEAD' }] : [one],
    );
    return withHead.some(({ method, path }) => isNamed([route], method, path));
  }
}

function unknownRoute(where: string, route: PublicRoute): string {
  const { method, path } = typeof route === 'string' ? { method: undefined, path: route } : route;
  const named = method === undefined ? path : `${method} ${path}`;
  return `${where}: there is no route ${named}: use the path as the route declares it, with its prefix`;
}

interface Pattern {
  /** Upper case; undefined for all. */
  readonly method: string | undefined;
  readonly path: string;
}

/**
 * Whether one of `routes` names the method and path. `GET` includes `HEAD`.
 *
 * @param path as the route was declared, with its prefix and its parameters
 */
export function isNamed(routes: readonly PublicRoute[], method: string, path: string): boolean {
  const wanted = method.toUpperCase() === 'HEAD' ? ['GET', 'HEAD'] : [method.toUpperCase()];
  return routes.map(patternOf).some((pattern) => {
    if (pattern.method !== undefined && !wanted.includes(pattern.method)) return false;
    if (!pattern.path.endsWith('/*')) return pattern.path === path;
    const folder = pattern.path.slice(0, -1);
    return path.startsWith(folder) || path === folder.slice(0, -1);
  });
}

function patternOf(route: PublicRoute): Pattern {
  const { method, path } = typeof route === 'string' ? { path: route, method: undefined } : route;
  return { method: method?.toUpperCase(), path: path.startsWith('/') ? path : `/${path}` };
}

/** Services of the host that routes of plugins use. */
export interface HostServices extends Pick<RouteServices, 'counts'> {
  readonly converse: ConverseOfPlugin;
}

/** Restricts the services to one plugin: conversations of users `did:<plugin>:…`, and separate counters. */
function routeServices(plugin: string, { converse, counts }: HostServices): RouteServices {
  const users = `did:${plugin}:`;
  const own = (key: string) => `plugin:${plugin}:${key}`;
  return {
    async converse({ ownerDid, conversation, requestId, text }) {
      if (!ownerDid.startsWith(users))
        throw new PluginError(`it can authenticate only users with DIDs that begin with "${users}"`);
      return converse(plugin, { ownerDid, conversation, requestId, text });
    },
    counts: {
      hit: (key, windowMs, cost) => counts.hit(own(key), windowMs, cost),
      forget: (key, windowMs) => counts.forget(own(key), windowMs),
    },
  };
}
