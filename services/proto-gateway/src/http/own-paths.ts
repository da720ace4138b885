import type { RouteMatch } from '@mlango/transcoder';
import { splitUrl } from '@mlango/transcoder/request-target';
import type { Route } from '../catalog/route-table.js';

/** Paths under the prefix that are the gateway's own and no rpc's, with their methods. */
export type OwnPaths = ReadonlyMap<string, readonly string[]>;

export function ownPaths(prefix: string, isWatched: boolean): OwnPaths {
  const watched = isWatched ? ['blocks', 'watch'] : [];
  return new Map([
    [`/${prefix}/batch`, ['POST']],
    ...watched.map((name): [string, string[]] => [`/${prefix}/${name}`, ['GET']]),
  ]);
}

/** What no rpc takes may still be a path that is known, for another method. */
export function orOwnPath<Match extends RouteMatch<Route>>(
  match: Match,
  url: string,
  own: OwnPaths,
): Match | { readonly kind: 'other_method'; readonly methods: readonly string[] } {
  const methods = match.kind === 'none' ? own.get(splitUrl(url).rawPath) : undefined;
  return methods === undefined ? match : { kind: 'other_method', methods };
}
