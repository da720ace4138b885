import { jsonSchemaTransform } from 'fastify-type-provider-zod';
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
  // Loaded on demand: a service without docs does not pay for them.
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
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
    routePrefix: '/docs',
    uiConfig,
    ...page,
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

type DescribedRoute = ReturnType<typeof jsonSchemaTransform>;

/** Sets a missing operation id from method and path, which are unique. */
function withOperationId(described: DescribedRoute, method: string | readonly string[]): DescribedRoute {
  const { schema, url } = described as { schema: DescribedRoute['schema'] | undefined; url: string };
  if (schema?.hide === true || schema?.operationId !== undefined) return described;
  const words = url.replaceAll(/[:{]([A-Za-z])/g, 'by-$1').split(/[^A-Za-z0-9]+/);
  const noun = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return { schema: { ...schema, operationId: `${[method].flat().join('').toLowerCase()}${noun || 'Root'}` }, url };
}

/** The logo on the docs page. */
const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 30V14a10 10 0 0 1 20 0v16z" fill="#0f6b5f"/><path d="M10 30V15a6 6 0 0 1 12 0v15z" fill="#f3d9a4"/><circle cx="19" cy="21" r="1.6" fill="#0f6b5f"/></svg>`;

const style = `
.swagger-ui .topbar { background: #f7f4ee; border-bottom: 3px solid #0f6b5f; }
.swagger-ui .topbar .download-url-wrapper { display: none; }
.swagger-ui .try-as { margin-right: 1rem; }
`;

/**
 * Adds a button next to "Authorize" that creates a sandbox user, authorizes with its credentials, and fills in its values as
 * examples.
 */
const tryAsScript = `
${fillExamples.toString()}
const makeUi = window.SwaggerUIBundle;
let ui;
window.SwaggerUIBundle = Object.assign((config) => (ui = makeUi(config)), makeUi);
const observer = new MutationObserver(() => {
  const place = document.querySelector('.scheme-container .auth-wrapper');
  if (place === null || document.querySelector('.try-as') !== null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn try-as';
  button.textContent = 'Try as a new user';
  button.addEventListener('click', async () => {
    const response = await fetch(new URL('try-as', location.href), { method: 'POST' });
    if (!response.ok) return void (button.textContent = 'No token: ' + response.status);
    const { locks, ...tried } = await response.json();
    ui.specActions.updateJsonSpec(fillExamples(ui.specSelectors.specJson().toJS(), tried));
    for (const [scheme, value] of Object.entries(locks)) ui.preauthorizeApiKey(scheme, value);
    button.textContent = 'You are a new user now';
  });
  place.prepend(button);
});
observer.observe(document, { subtree: true, childList: true });
`;

/** Theme of the docs page: logo, name, and the sandbox button if `canTry`. */
function docsPage(title: string, canTry: boolean) {
  const logo = { type: 'image/svg+xml', content: mark };
  return {
    logo: { ...logo, href: './', target: '_self' as const },
    theme: {
      title,
      favicon: [{ ...logo, filename: 'mark.svg', rel: 'icon', sizes: 'any' }],
      css: [{ filename: 'mark.css', content: style }],
      ...(canTry ? { js: [{ filename: 'try-as.js', content: tryAsScript }] } : {}),
    },
  };
}

/** Credentials and sample values for a new user of the API docs. */
export interface SandboxValues {
  /** Credentials by security scheme. */
  readonly locks: Readonly<Record<string, string>>;
  /** Values by parameter name, for all operations. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Values of one operation, such as `DELETE /memories/{id}`. */
  readonly operations?: Readonly<
    Record<string, { readonly parameters?: Readonly<Record<string, string>>; readonly body?: unknown }>
  >;
}

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation | undefined> | undefined>;
}

interface DescribedOperation {
  parameters?: { readonly name: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: unknown }> };
}

/**
 * Replaces the examples of an OpenAPI document with the sandbox values, and returns the document. The docs page runs the source text
 * of this function in the browser, so it must not refer to anything outside.
 */
export function fillExamples<Document extends object>(
  document: Document,
  tried: Omit<SandboxValues, 'locks'>,
): Document {
  for (const [path, methods] of Object.entries((document as Described).paths)) {
    for (const [method, operation] of Object.entries(methods ?? {})) {
      const own = tried.operations?.[`${method.toUpperCase()} ${path}`];
      const values = { ...tried.parameters, ...own?.parameters };
      for (const parameter of operation?.parameters ?? []) {
        const value = values[parameter.name];
        if (value !== undefined) parameter.example = value;
      }
      if (own?.body === undefined) continue;
      for (const content of Object.values(operation?.requestBody?.content ?? {})) {
        delete content.examples;
        content.example = own.body;
      }
    }
  }
  return document;
}
