import { ServiceError } from '@mlango/service-kit/errors';
import type { FastifyRequest } from 'fastify';

/**
 * Pages of other sites can send requests here without reading the response; browsers mark these requests.
 * @throws {ServiceError} `permission_denied`
 */
export function requireSameOrigin({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new ServiceError('permission_denied', 'This is for the page of this server alone');
}
