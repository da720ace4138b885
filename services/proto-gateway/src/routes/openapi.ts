import type { HttpApp } from '@mlango/service-kit/http-app';

/** `GET /openapi.json`: the description of what this deployment mounts, and so the reference for its routes. */
export function openApiRoute(app: HttpApp, document: Record<string, unknown>): void {
  const text = JSON.stringify(document);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text),
  );
}
