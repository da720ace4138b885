import { printTemplate } from '@mlango/transcoder/template';
import { type Catalog, type CatalogSource, derivedFrom } from '../catalog.js';
import { isQuery, type Route } from '../routes.js';
import type { ExampleRequests } from './examples.js';
import { describeOperation, LEGACY } from './operation.js';
import { describeBatch, describeBlocks, describeWatchSocket } from './own-routes.js';
import { commentOf } from './proto-comments.js';
import { SchemaCollector } from './schemas.js';

/** The OpenAPI 3.1 document of the mounted routes: all spellings, with legacy ones deprecated and disabled ones marked. */
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
    // `*` has no place in OpenAPI; such a rule is described by the method that most clients use.
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
      description:
        'Queries of the chain over HTTP and JSON. Each operation is one gRPC method of a chain node. The query of a GET may also be sent as the ' +
        'form (application/x-www-form-urlencoded) of a POST, with at most 64 KiB.',
      version: options.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [],
    tags: [...services.map((service) => ({ name: service.typeName, description: commentOf(service) })), LEGACY],
    paths,
    components: { schemas: schemas.all() },
  };
}

/** Paths of queries without required parameters. */
function plainQueries(routes: readonly Route[]): string[] {
  const plain = routes.filter((route) => route.template.variables.length === 0 && route.successor === undefined);
  return plain.filter(isQuery).map((route) => openApiPath(route));
}

const OPENAPI_METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** OpenAPI has `{name}` only; patterns become part of the parameter's description. */
function openApiPath(route: Route): string {
  return printTemplate(route.template).replace(/\{([^}=]+)=[^}]*\}/g, '{$1}');
}

/**
 * A document that follows the catalog. It is one object, because the documentation plugin keeps a reference; its fields are
 * computed when read, once per catalog.
 *
 * @param describe returns the same fields for every catalog
 */
export function liveDocument(
  source: CatalogSource,
  describe: (catalog: Catalog | undefined) => Record<string, unknown>,
): Record<string, unknown> {
  const empty = describe(undefined);
  const current = derivedFrom(source, describe);
  const document: Record<string, unknown> = {};
  for (const field of Object.keys(empty)) {
    Object.defineProperty(document, field, { enumerable: true, get: () => (current() ?? empty)[field] });
  }
  return document;
}
