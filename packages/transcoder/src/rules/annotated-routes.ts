import type { FileRegistry } from '@bufbuild/protobuf';
import { type HttpRoute, toRoute } from './http-route.js';
import { nameOfRpc, readHttpRules } from './http-rules.js';

/** Rules that do not fit the methods they are for. */
export class HttpRuleError extends Error {
  override readonly name = 'HttpRuleError';
}

/**
 * The routes of HTTP annotations.
 *
 * @throws {HttpRuleError} naming every annotation that does not fit its method
 */
export function annotatedRoutes(files: FileRegistry): HttpRoute[] {
  const problems: string[] = [];
  const routes = readHttpRules(files).flatMap(({ rpc, bindings }) =>
    bindings.flatMap((each) => {
      const route = toRoute(rpc, each);
      if (!('problem' in route)) return [route];
      problems.push(`${nameOfRpc(rpc)} at ${each.template}: ${route.problem}`);
      return [];
    }),
  );
  if (problems.length > 0) throw new HttpRuleError(problems.join('; '));
  return routes;
}
