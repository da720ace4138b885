import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { docsPage, type SandboxValues } from './docs-sandbox.js';
import type { HttpApp } from './http-app-type.js';

/** How a caller authenticates: an `Authorization` scheme, or a header. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly description?: string }
  | { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string; readonly description?: string };

export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly tags?: readonly { readonly name: string; readonly description: string }[];
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  /** A ready OpenAPI document, for a service without Fastify routes; else it is built from the routes. */
  readonly document?: Record<string, unknown>;
  /**
   * Creates a sandbox user, and returns its credentials and sample values. For development: every visitor of the page may create one.
   */
  readonly tryAs?: ((app: Pick<HttpApp, 'inject'>) => Promise<SandboxValues>) | undefined;
}

const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

interface DescribedService {
  readonly version: string;
  /** The setting `PUBLIC_URL`. Omitted: the server of the description is relative to the address of the description. */
  readonly publicUrl?: string | undefined;
}

/** Serves the OpenAPI 3.1 description of the mounted routes at `/docs/json`, and its Swagger UI at `/docs`. */
export async function describeApi(app: HttpApp, service: DescribedService, options: OpenApiOptions): Promise<void> {
  const { version, publicUrl } = service;
  if (options.document !== undefined) {
    await app.register(swagger, { mode: 'static', specification: { document: options.document as never } });
  } else {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: options.title, description: options.description, version, license },
        // Routes with a scheme name it themselves.
        security: [],
        tags: (options.tags ?? []).map((tag) => ({ ...tag })),
        components: { securitySchemes: { ...options.securitySchemes } },
      },
      transform: (input) => withOperationId(jsonSchemaTransform(input), input.route.method),
    });
  }
  // A ready document is long: its groups start collapsed, with a filter.
  const isLong = options.document !== undefined;
  const uiConfig = { deepLinking: true, docExpansion: isLong ? 'none' : 'list', filter: isLong } as const;
  const { tryAs } = options;
  const page = docsPage(options.title, tryAs !== undefined);
  await app.register(swaggerUi, {
    ...{ routePrefix: '/docs', uiConfig, ...page },
    // The page names its files relative to `/docs/`, so that it works under any path of a proxy.
    uiHooks: {
      onRequest: (request, reply, next) => {
        if (request.url === '/docs') void reply.redirect('docs/', 302);
        else next();
      },
    },
    transformSpecification: (document) => ({ ...document, servers: [{ url: publicUrl ?? '..' }] }),
    transformSpecificationClone: false,
  });
  if (tryAs === undefined) return;
  app.post('/docs/try-as', { schema: { hide: true } }, (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    return tryAs(app);
  });
}

type Described = ReturnType<typeof jsonSchemaTransform>;

/** Sets a missing operation id from method and path, which are unique. */
function withOperationId(described: Described, method: string | readonly string[]): Described {
  const { schema, url } = described as { schema: Described['schema'] | undefined; url: string };
  if (schema?.hide === true || schema?.operationId !== undefined) return described;
  const words = url.replaceAll(/[:{]([A-Za-z])/g, 'by-$1').split(/[^A-Za-z0-9]+/);
  const noun = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return { schema: { ...schema, operationId: `${[method].flat().join('').toLowerCase()}${noun || 'Root'}` }, url };
}
