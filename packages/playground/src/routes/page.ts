import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { connectionOf, newConnectionCookie } from '../connections.js';

/**
 * What a browser may do with a page: nothing but what its origin serves, and the scripts and styles that stand in the page itself, each known by
 * its digest; no frame, no form that leaves. Pure.
 * @param html the page as it is served
 * @returns a `content-security-policy`
 */
export function pagePolicy(html: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...digestsOf('script', html)].join(' '),
    ["style-src 'self'", ...digestsOf('style', html)].join(' '),
    // Files of messages are shown and played from what was read of them.
    "img-src 'self' data: blob:",
    'media-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function digestsOf(tag: 'script' | 'style', html: string): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'));
  return [...elements].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

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
        if (connectionOf(request.headers.cookie) === undefined) void reply.header('set-cookie', newConnectionCookie());
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
