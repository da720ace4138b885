import type { HttpApp } from '@mlango/service-kit/http-app';

/** `GET /openapi.json`: the description of what this deployment mounts, and so the reference for its routes. */
export function openApiRoute(app: HttpApp, document: Record<string, unknown>): void {
  let last: { readonly paths: unknown; readonly text: string } | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    const { paths } = document;
    if (last?.paths !== paths) last = { paths, text: JSON.stringify(document) };
    return reply.type('application/json; charset=utf-8').send(last?.text);
  });
}
