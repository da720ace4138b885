import { type GatewayIndex, gatewayIndex } from '@mlango/schemas/proto-gateway';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { printTemplate } from '@mlango/transcoder/template';
import { type CatalogSource, derivedFrom } from '../catalog/catalog.js';
import type { Prefixes } from '../catalog/legacy-paths.js';
import type { Route } from '../catalog/routes.js';
import type { ChainNode } from '../nodes/chain-node.js';
import { readNodeState } from '../nodes/health.js';

export interface IndexOptions {
  readonly version: string;
  readonly catalog: CatalogSource;
  readonly prefixes: Prefixes;
  readonly node: ChainNode;
  readonly docs: boolean;
}

const NODE_TIMEOUT_MS = 1000;

/** `GET /`: the served methods and the state of the chain. An unavailable node does not make it fail. */
export function indexRoute(app: HttpApp, { version, catalog, prefixes, node, docs }: IndexOptions): void {
  const services = derivedFrom(catalog, ({ table }) => listServices(table.routes));
  app.get(
    '/',
    { schema: { hide: true, response: { 200: gatewayIndex } } },
    async ({ basePath }): Promise<GatewayIndex> => {
      const { reachable, height } = await readNodeState(node, NODE_TIMEOUT_MS);
      return {
        service: 'proto-gateway',
        version,
        prefixes: { current: `/${prefixes.current}`, legacy: prefixes.legacy.map((prefix) => `/${prefix}`) },
        services: services() ?? [],
        node: { reachable, height },
        ...(docs ? { documentation: `${basePath}/docs`, openapi: `${basePath}/openapi.json` } : {}),
      };
    },
  );
}

function listServices(routes: readonly Route[]): GatewayIndex['services'] {
  const services = new Map<string, GatewayIndex['services'][number]>();
  for (const route of routes) {
    if (route.successor !== undefined) continue;
    const name = route.rpc.parent.typeName;
    const service = services.get(name) ?? { name, methods: [] };
    const path = printTemplate(route.template);
    service.methods.push({
      rpc: route.rpc.name,
      method: route.method,
      path,
      disabled: route.isDisabled || route.isMissing,
    });
    services.set(name, service);
  }
  return [...services.values()];
}
