import type { PublicRoute } from '../api/plugin.js';

interface Pattern {
  /** Upper case; undefined for all. */
  readonly method: string | undefined;
  readonly path: string;
}

/**
 * Whether a method of a route is named by one of `routes`. With `GET`, `HEAD` goes along; no other method does.
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
