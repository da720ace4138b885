import { constantTimeEqual } from '@mlango/crypto/equality';
import { addressRanges } from '@mlango/service-kit/proxies';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../aggregator-settings.js';

/**
 * Who calls an endpoint of an aggregator. A `gateway` calls from addresses that are named for it, and is limited by phone; a
 * `caller` may call as well, and is limited by address, as strangers are; a `stranger` is refused.
 */
export type AggregatorCaller = 'gateway' | 'caller' | 'stranger';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where the route is no aggregator's. */
    aggregatorCaller: AggregatorCaller | null;
  }
}

/**
 * Finds out who calls. Let in is who calls from an allowed address and shows the secret, as `X-Aggregator-Secret` or as
 * `?secret=` for gateways that send no headers of their own. It looks at both whatever it finds, so that its time tells nothing.
 *
 * @param isTrusted whether an address is trusted on every route.
 */
export function callerOf(origin: Origin, isTrusted: (address: string) => boolean) {
  const { secret, cidrs } = origin;
  const isAllowed = cidrs.length === 0 ? () => true : addressRanges(cidrs);
  const isNamed = cidrs.length === 0 ? isTrusted : () => true;
  return (request: FastifyRequest): AggregatorCaller => {
    const showsSecret = secret === undefined || constantTimeEqual(shownSecret(request), secret);
    const comesFromThere = isAllowed(request.ip);
    if (!showsSecret || !comesFromThere) return 'stranger';
    return isNamed(request.ip) ? 'gateway' : 'caller';
  };
}

function shownSecret(request: FastifyRequest): string {
  const header = request.headers['x-aggregator-secret'];
  if (typeof header === 'string') return header;
  const { query } = request;
  const inQuery = typeof query === 'object' && query !== null && 'secret' in query ? query.secret : undefined;
  return typeof inQuery === 'string' ? inQuery : '';
}
