import { ServiceError } from '@mlango/service-kit/errors';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyRequest } from 'fastify';
import { requireScope } from './http/take-api-keys.js';

/**
 * Lets whoever may say what happens to a call that waits go on: its user, or a script with a key of theirs that is for tools. Who speaks for the
 * user allows nothing in their place.
 * @throws ServiceError
 */
export function requireSettling(request: FastifyRequest): void {
  requireScope(request, 'tools');
  if (callerOf(request).actor !== undefined)
    throw new ServiceError('permission_denied', 'The user themself has to decide this');
}
