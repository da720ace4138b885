import { constantTimeEqual } from '@mlango/crypto/equality';
import { ServiceError } from '@mlango/service-kit/errors';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../aggregator-settings.js';
import { trustedCallers } from './trusted-callers.js';

/**
 * Lets in who calls from an allowed address and shows the secret, as `X-Aggregator-Secret` or as `?secret=` for gateways
 * that send no headers of their own. It looks at both whatever it finds, so that its time tells nothing.
 *
 * @returns a check that throws `permission_denied`.
 */
export function originCheck(origin: Origin): (request: FastifyRequest) => void {
  const { secret } = origin;
  const isAllowed = origin.cidrs.length === 0 ? () => true : trustedCallers(origin.cidrs);
  return (request) => {
    const showsSecret = secret === undefined || constantTimeEqual(shownSecret(request), secret);
    const comesFromThere = isAllowed(request.ip);
    if (showsSecret && comesFromThere) return;
    throw new ServiceError('permission_denied', 'This caller is not known');
  };
}

function shownSecret(request: FastifyRequest): string {
  const header = request.headers['x-aggregator-secret'];
  if (typeof header === 'string') return header;
  const { query } = request;
  const inQuery = typeof query === 'object' && query !== null && 'secret' in query ? query.secret : undefined;
  return typeof inQuery === 'string' ? inQuery : '';
}
