import { constantTimeEqual } from '@mlango/crypto/equality';
import { addressRanges } from '@mlango/service-kit/proxies';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../aggregator-settings.js';
import type { CallerCheck } from '../aggregators/adapter.js';

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
 * Finds out who calls. A caller is let in from an allowed address with the secret: in the header or parameter that the aggregator names, by default
 * `X-Aggregator-Secret`, or `?secret=` for aggregators that send no headers of their own. Both are checked whatever the first check finds, so that the
 * time reveals nothing.
 *
 * @param isTrusted whether an address is trusted on every route.
 */
export function callerOf(origin: Origin, check: CallerCheck, isTrusted: (address: string) => boolean) {
  const { secret, cidrs } = origin;
  const isAllowed = cidrs.length === 0 ? () => true : addressRanges(cidrs);
  const isNamed = cidrs.length === 0 ? isTrusted : () => true;
  const presentedBy = readSecret(check);
  return (request: FastifyRequest): AggregatorCaller => {
    const hasSecret = secret === undefined || constantTimeEqual(presentedBy(request), secret);
    const comesFromThere = isAllowed(request.ip);
    if (!hasSecret || !comesFromThere) return 'stranger';
    return isNamed(request.ip) ? 'gateway' : 'caller';
  };
}

function readSecret({ header, parameter }: CallerCheck): (request: FastifyRequest) => string {
  const isDefault = header === undefined && parameter === undefined;
  const headerName = isDefault ? 'x-aggregator-secret' : header?.toLowerCase();
  const parameterName = isDefault ? 'secret' : parameter;
  return ({ headers, query }) => {
    const inHeader = headerName === undefined ? undefined : headers[headerName];
    if (typeof inHeader === 'string') return inHeader;
    if (parameterName === undefined || typeof query !== 'object' || query === null) return '';
    const inQuery: unknown = Object.entries(query).find(([name]) => name === parameterName)?.[1];
    return typeof inQuery === 'string' ? inQuery : '';
  };
}
