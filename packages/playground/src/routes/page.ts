import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { connectionOf, newConnectionCookie } from '../connections.js';

/**
 * The content security policy of a page: resources of its origin, and its inline scripts and styles, each by its digest; no
 * frame, no form to other sites. Pure.
 * @param html the page as served
 * @returns a `content-security-policy`
 */
export function pagePolicy(html: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...digestsOf('script', html)].join(' '),
    ["style-src 'self'", ...digestsOf('style', html)].join(' '),
    // Files of messages are shown and played from downloaded data.
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
 * Serves the built page. Files with a content hash in their name are immutable and get few headers, because
 * a slow network waits for each byte. The page itself is always revalidated.
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
      // One route for each existing file: any other path is 404 without disk access.
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        if (/[\\/]assets[\\/]/.test(path)) response.header('cache-control', 'public, max-age=31536000, immutable');
      },
    });
    // An unknown address gets the page with 404; it shows links to all pages.
    scope.get('/*', (request, reply) => {
      if (request.headers.accept?.includes('text/html') !== true)
        throw new ServiceError('not_found', 'There is nothing at this path');
      return reply.code(404).type('text/html; charset=utf-8').send(page);
    });
  });
}
