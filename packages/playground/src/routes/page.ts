import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { lineOf, newLineCookie } from '../line/line-cookie.js';
import { pagePolicy } from './page-policy.js';

/**
 * Serves the built page. Files whose name holds a hash of their content never change, and are no page of their own: they come with few headers, each of
 * which a slow network waits for. The page itself is asked for anew.
 */
export async function pageRoutes(app: HttpApp, folder: URL): Promise<void> {
  const page = await readFile(new URL('index.html', folder));
  const contentSecurityPolicy = pagePolicy(page.toString());
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      if (route.url.startsWith('/assets/')) route.config = { ...route.config, programsOnly: true };
    });
    scope.addHook('onRequest', (request, reply, done) => {
      if (request.routeOptions.config.programsOnly !== true) {
        void reply.headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' });
        if (lineOf(request.headers.cookie) === undefined) void reply.header('set-cookie', newLineCookie());
      }
      done();
    });
    await scope.register(serveStatic, {
      root: fileURLToPath(folder),
      // One route for each file that is there: any other path is 404 without a look at the disk.
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        if (/[\\/]assets[\\/]/.test(path)) response.header('cache-control', 'public, max-age=31536000, immutable');
      },
    });
    // Whoever has come by an address that is none gets the page, which says so and leads on.
    scope.get('/*', (request, reply) => {
      if (request.headers.accept?.includes('text/html') !== true)
        throw new ServiceError('not_found', 'There is nothing at this path');
      return reply.code(404).type('text/html; charset=utf-8').send(page);
    });
  });
}
