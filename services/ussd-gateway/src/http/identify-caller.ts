import { constantTimeEqual } from '@mlango/crypto/equality';
import { addressRanges } from '@mlango/service-kit/proxies';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../aggregator-settings.js';
import type { CallerCheck } from '../aggregators/adapter.js';

/**
 * The kind of a caller. A `gateway` calls from a listed address and is limited by phone; a `caller` is allowed too, and limited by
 * address; an `unknown` caller is refused.
 */
export type AggregatorCaller = 'gateway' | 'caller' | 'unknown';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes without an aggregator. */
    aggregatorCaller: AggregatorCaller | null;
  }
}

/**
 * Identifies the caller of an endpoint by its address and its secret. The secret is in the header or parameter that the aggregator names,
 * by default `X-Aggregator-Secret`, or `?secret=` for aggregators that send no headers of their own. Both checks always run, so that the
 * time reveals nothing.
 *
 * @param isTrusted whether an address is trusted on every route.
 */
export function callerIdentifier(origin: Origin, check: CallerCheck, isTrusted: (address: string) => boolean) {
  const { secret, cidrs } = origin;
  const isAllowed = cidrs.length === 0 ? () => true : addressRanges(cidrs);
  const isLimitedByPhone = cidrs.length === 0 ? isTrusted : () => true;
  const presentedSecret = readSecret(check);
  return (request: FastifyRequest): AggregatorCaller => {
    const hasSecret = secret === undefined || constantTimeEqual(presentedSecret(request), secret);
    const isAllowedAddress = isAllowed(request.ip);
    if (!hasSecret || !isAllowedAddress) return 'unknown';
    return isLimitedByPhone(request.ip) ? 'gateway' : 'caller';
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
