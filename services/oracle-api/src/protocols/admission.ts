import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyRequest } from 'fastify';
import { requireContent } from '../http/hooks/api-key-auth.js';

/**
 * Reads the bearer token of requests to this scope as an invocation, unless a delegation comes with it: clients of other protocols have one
 * token and do not declare its type. Must be called before `requireAuthScope`.
 */
export function bearerIsInvocation(scope: HttpApp): void {
  scope.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['x-ucan-delegation'] === undefined) headers['x-auth-type'] ??= 'ucan';
    done();
  });
}

/** Allows a decision on a pending call to the user and to a key with the scope, not to a delegate. @throws ServiceError */
export function requireSettling(request: FastifyRequest): void {
  requireContent(request, 'calls');
  if (callerOf(request).actor !== undefined)
    throw new ServiceError('permission_denied', 'Only the user can decide this');
}
