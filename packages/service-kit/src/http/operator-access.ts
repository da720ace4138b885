import { constantTimeEqual } from '@mlango/crypto/equality';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/service-error.js';
import { addressKey } from './client-address.js';
import { takeOrRefuse } from './rate-limiting.js';

export interface OperatorAccess {
  /** The bearer token of operators. */
  readonly token?: string | undefined;
  /** A second token, which the API docs hand out to try the API; unset in production. */
  readonly docsTrialToken?: string | undefined;
  /** Without a token: true opens the route (development), false hides it (404). */
  readonly open: boolean;
}

/**
 * Guards a route for operators. With a token configured a request must present it as `Authorization: Bearer`; a missing or wrong
 * one is 401. Without a token the route is open or answers 404. Wrong tokens are limited by address.
 */
export function operatorOnly(access: OperatorAccess) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    await identifyOperator(request, access, () => undefined);
  };
}

/**
 * Identifies an operator of all data of a route, or of a part. A wrong token counts against the rate limit of its
 * address; over that limit no token is compared until the window ends.
 *
 * @param partOf finds the part of the operator's token, in constant time
 * @returns the part; undefined for an operator of everything
 * @throws {ServiceError} `unauthenticated`, `rate_limited`, or `not_found` if no token is set and the route is not open
 */
export async function identifyOperator<Part>(
  request: FastifyRequest,
  access: OperatorAccess,
  partOf: (token: string) => Part | undefined,
): Promise<Part | undefined> {
  const token = bearerToken(request);
  const guesses = request.server.operatorGuesses;
  const address = addressKey(request.ip);
  // Taken before the token is compared, so that guesses in parallel are all counted.
  if (token !== undefined && guesses !== undefined) await takeOrRefuse(guesses, address);
  const part = token === undefined ? undefined : partOf(token);
  const isOne = (known: string | undefined) => known !== undefined && constantTimeEqual(token ?? '', known);
  const isOpen = access.token === undefined && access.open;
  if (part !== undefined || isOne(access.token) || isOne(access.docsTrialToken) || isOpen) {
    if (token !== undefined) await guesses?.giveBack(address);
    return part;
  }
  if (access.token === undefined) throw new ServiceError('not_found', 'Not found');
  throw new ServiceError('unauthenticated', 'An operator token is required', {
    headers: { 'www-authenticate': 'Bearer realm="operator"' },
  });
}

/** The bearer token of a request, at most 512 characters. */
function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([^\s]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
}
