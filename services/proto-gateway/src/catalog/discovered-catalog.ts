import type { FileRegistry } from '@bufbuild/protobuf';
import { type BoundMethod, nameOfRpc, readHttpRules } from '@mlango/transcoder/http-rules';
import type { Catalog } from './catalog.js';
import type { CollectedFiles } from './collect-files.js';
import { mountRoutes, type RouteTableOptions } from './route-table.js';

/**
 * The catalog of what a node says of itself. Rules come from the node, and from `known` for rpcs it serves without saying
 * where; rpcs of `known` that it does not serve are mounted as missing, so that callers learn why they get nothing.
 */
export function discoveredCatalog(
  found: CollectedFiles,
  known: FileRegistry,
  options: Omit<RouteTableOptions, 'missing'>,
): Catalog {
  const own = readHttpRules(found.registry);
  const ownNames = new Set(own.map(({ rpc }) => nameOfRpc(rpc)));
  const others = readHttpRules(known).filter(({ rpc }) => !ownNames.has(nameOfRpc(rpc)));
  const missing = new Set(others.filter((method) => !isServed(method, found)).map(({ rpc }) => nameOfRpc(rpc)));
  return { registry: found.registry, table: mountRoutes(found.registry, [...own, ...others], { ...options, missing }) };
}

function isServed({ rpc }: BoundMethod, { services, registry }: CollectedFiles): boolean {
  const service = rpc.parent.typeName;
  if (!services.includes(service)) return false;
  const described = registry.getService(service);
  // A service without a description is believed to be whole.
  return described === undefined || described.methods.some((method) => method.name === rpc.name);
}
