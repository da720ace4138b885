import type { PublicRoute } from './plugin.js';

interface Pattern {
  /** Upper case; undefined for all. */
  readonly method: string | undefined;
  readonly path: string;
}

/** Whether a route is named by one of `routes`. Of `GET`, `HEAD` goes along. */
export function isNamed(routes: readonly PublicRoute[], method: string, path: string): boolean {
  const wanted = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase();
  return routes.map(patternOf).some((pattern) => {
    if (pattern.method !== undefined && pattern.method !== wanted) return false;
    if (!pattern.path.endsWith('/*')) return pattern.path === path;
    const folder = pattern.path.slice(0, -1);
    return path.startsWith(folder) || path === folder.slice(0, -1);
  });
}

function patternOf(route: PublicRoute): Pattern {
  const { method, path } = typeof route === 'string' ? { path: route, method: undefined } : route;
  return { method: method?.toUpperCase(), path: path.startsWith('/') ? path : `/${path}` };
}
