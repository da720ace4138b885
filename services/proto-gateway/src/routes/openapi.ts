import type { HttpApp } from '@mlango/service-kit/http-app';

/** `GET /openapi.json`: the description of what this deployment mounts, and so the reference for its routes. */
export function openApiRoute(app: HttpApp, document: () => Record<string, unknown>): void {
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(document())),
  );
  // The page at /docs reads the same object by a route of its own.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url === '/docs/json') document();
    done();
  });
}
