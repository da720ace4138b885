import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { FastifyRequest } from 'fastify';

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
