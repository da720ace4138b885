import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { lineOf, newLineCookie } from '../line/line-cookie.js';

/** Nothing but what this origin serves: no inline script or style, no frame, no form that leaves. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Serves the built page. Files whose name holds a hash of their content never change; the page itself is asked for anew. */
export async function pageRoutes(app: HttpApp, folder: URL): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      void reply.header('content-security-policy', contentSecurityPolicy);
      if (!request.url.startsWith('/assets/')) {
        void reply.header('cache-control', 'no-cache');
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
  });
}
