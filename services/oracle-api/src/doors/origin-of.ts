import type { FastifyRequest } from 'fastify';

/** Where this service is, as the client has named it: nobody else is told. */
export function originOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  return `${protocol}://${host}`;
}
