import type { FastifyRequest } from 'fastify';
import type { HeaderPairs } from '../transcoding/metadata.js';

/** Path and query of a request target, as they were sent. */
export function splitUrl(url: string): { path: string; rawQuery: string } {
  // Proxies may send the whole URL. Source: RFC 9112, absolute-form.
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, rawQuery: '' } : { path: local.slice(0, mark), rawQuery: local.slice(mark + 1) };
}

/** The headers of a request, as they were sent. */
export function headerPairs(request: FastifyRequest): HeaderPairs {
  const raw = request.raw.rawHeaders;
  return Array.from(
    { length: Math.floor(raw.length / 2) },
    (_, at) => [raw[at * 2] ?? '', raw[at * 2 + 1] ?? ''] as const,
  );
}
