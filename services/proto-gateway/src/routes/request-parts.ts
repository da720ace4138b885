import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { FastifyRequest } from 'fastify';

/** Path and query of a request target, as they were sent. */
export function splitUrl(url: string): { path: string; rawQuery: string } {
  // Proxies may send the whole URL. Source: RFC 9112, absolute-form.
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, rawQuery: '' } : { path: local.slice(0, mark), rawQuery: local.slice(mark + 1) };
}

/** Where callers show who they are. */
const CREDENTIALS = /^(?:authorization|x-api-key|x-auth-type)$/i;

/**
 * The headers of a request, as they were sent. What opened the gate is not for the node: it could be used by whoever reads
 * it there, and nobody else could be given the reply.
 */
export function headerPairs(request: FastifyRequest, { isGated }: { readonly isGated: boolean }): HeaderPairs {
  const raw = request.raw.rawHeaders;
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    if (!isGated || !CREDENTIALS.test(name)) pairs.push([name, value]);
  }
  return pairs;
}
