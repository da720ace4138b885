import { printTemplate } from '@mlango/transcoder/template';
import type { ExampleRequests } from './example-requests.js';
import { describeBatch } from './openapi-batch.js';
import { describeOperation, LEGACY } from './openapi-operation.js';
import { SchemaCollector } from './openapi-schemas.js';
import { describeBlocks, describeWatchSocket } from './openapi-watch.js';
import { commentOf } from './proto-comments.js';
import type { Route } from './route-table.js';
import { isQuery } from './rpcs.js';

/** The OpenAPI 3.1 document of what is mounted: every spelling, legacy ones marked deprecated, disabled ones said so. */
export function describeRoutes(
  routes: readonly Route[],
  options: { version: string; prefix: string; examples?: ExampleRequests },
): Record<string, unknown> {
  const { examples = {} } = options;
  const schemas = new SchemaCollector();
  const paths: Record<string, Record<string, unknown>> = {};
  const methodsOf = new Map<string, number>();
  for (const route of routes) {
    const path = openApiPath(route);
    // `*` has no place in OpenAPI; such a rule is described by the method most clients will use.
    const method = route.method === '*' ? 'get' : route.method.toLowerCase();
    if (!OPENAPI_METHODS.has(method)) continue;
    const seen = methodsOf.get(route.rpcName) ?? 0;
    methodsOf.set(route.rpcName, seen + 1);
    paths[path] = {
      ...paths[path],
      [method]: describeOperation(route, schemas, seen, examples[route.rpcName]),
    };
  }
  paths[`/${options.prefix}/batch`] ??= { post: describeBatch(schemas, plainQueries(routes).slice(0, 2)) };
  paths[`/${options.prefix}/blocks`] ??= { get: describeBlocks(schemas) };
  paths[`/${options.prefix}/watch`] ??= { get: describeWatchSocket(schemas) };
  const services = [...new Set(routes.map((route) => route.rpc.parent))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chain query gateway',
      description: 'Queries of the chain over HTTP and JSON. Each operation is one gRPC method of a chain node.',
      version: options.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [],
    tags: [...services.map((service) => ({ name: service.typeName, description: commentOf(service) })), LEGACY],
    paths,
    components: { schemas: schemas.all() },
  };
}

/** Paths of queries that ask for nothing in particular. */
function plainQueries(routes: readonly Route[]): string[] {
  const plain = routes.filter((route) => route.template.variables.length === 0 && route.successor === undefined);
  return plain.filter(isQuery).map((route) => openApiPath(route));
}

const OPENAPI_METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** OpenAPI knows `{name}` alone; patterns become part of the parameter's description. */
function openApiPath(route: Route): string {
  return printTemplate(route.template).replace(/\{([^}=]+)=[^}]*\}/g, '{$1}');
}
