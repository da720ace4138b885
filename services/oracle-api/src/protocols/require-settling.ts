import { ServiceError } from '@mlango/service-kit/errors';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyRequest } from 'fastify';
import { requireContent } from '../http/take-api-keys.js';

/** Lets only the user, or a key of the user with the right, decide on a waiting call; a delegate cannot. @throws ServiceError */
export function requireSettling(request: FastifyRequest): void {
  requireContent(request, 'calls');
  if (callerOf(request).actor !== undefined)
    throw new ServiceError('permission_denied', 'The user themself has to decide this');
}
