import { constantTimeEqual } from '@mlango/crypto/equality';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from './errors/service-error.js';

export interface OperatorAccess {
  /** The bearer token an operator must show. */
  readonly token?: string | undefined;
  /** Another one, which the page of documentation gives to whoever tries the API; none in production. */
  readonly triedToken?: string | undefined;
  /** What holds without a token: true lets everybody in (development), false nobody (the route is as if absent). */
  readonly open: boolean;
}

/**
 * Guards a route for operators. With a token configured it must be shown as `Authorization: Bearer`, and is compared in
 * constant time; a missing or wrong one is 401. Without a token the route is open or answers 404.
 */
export function operatorOnly(access: OperatorAccess) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    if (access.token === undefined) {
      if (access.open) return;
      throw new ServiceError('not_found', 'Not found');
    }
    const shown = bearerToken(request);
    const isOne = (token: string | undefined) => token !== undefined && constantTimeEqual(shown ?? '', token);
    if (isOne(access.token) || isOne(access.triedToken)) return;
    throw new ServiceError('unauthenticated', 'An operator token is required', {
      headers: { 'www-authenticate': 'Bearer realm="operator"' },
    });
  };
}

/** What a request shows as `Authorization: Bearer`, if it is no longer than a token can be. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([^\s]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
}
