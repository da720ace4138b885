import type { Route } from './route-table.js';
import { txKindOf } from './transactions.js';

/** Whether a call changes nothing, so that it may be shared, kept and made again. Rules with another method than GET may. */
export function isQuery({ method, rpcName }: Route): boolean {
  return method === 'GET' && txKindOf(rpcName) === undefined;
}

/** The rpcs of a table by name, `ixo.claims.v1beta1.Query/ClaimList`: of several routes into one, a GET says best what it is. */
export function rpcsOf(routes: readonly Route[]): ReadonlyMap<string, Route> {
  const rpcs = new Map<string, Route>();
  for (const route of routes) {
    if (route.method === 'GET' || !rpcs.has(route.rpcName)) rpcs.set(route.rpcName, route);
  }
  return rpcs;
}
