import { constantTimeEqual } from '@mlango/crypto/equality';
import { addressRanges } from '@mlango/service-kit/proxies';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../aggregator-settings.js';
import type { SecretField } from '../aggregators/adapter.js';

/**
 * The limit of a request of an aggregator: by phone from a listed or trusted address, by address from any other that is allowed. A
 * `refused` request has a wrong address or secret.
 */
export type AggregatorOrigin = 'limitedByPhone' | 'limitedByAddress' | 'refused';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes without an aggregator. */
    aggregatorOrigin: AggregatorOrigin | null;
  }
}

/**
 * Identifies the aggregator of a request by its address and its secret. The secret is in the header or parameter that the aggregator names,
 * by default `X-Aggregator-Secret`, or `?secret=` for aggregators that send no headers of their own. Both checks always run, so that the
 * time reveals nothing.
 *
 * @param isTrusted whether an address is trusted on every route.
 */
export function aggregatorIdentifier(origin: Origin, check: SecretField, isTrusted: (address: string) => boolean) {
  const { secret, cidrs } = origin;
  const isAllowed = cidrs.length === 0 ? () => true : addressRanges(cidrs);
  const isLimitedByPhone = cidrs.length === 0 ? isTrusted : () => true;
  const presentedSecret = readSecret(check);
  return (request: FastifyRequest): AggregatorOrigin => {
    const hasSecret = secret === undefined || constantTimeEqual(presentedSecret(request), secret);
    const isAllowedAddress = isAllowed(request.ip);
    if (!hasSecret || !isAllowedAddress) return 'refused';
    return isLimitedByPhone(request.ip) ? 'limitedByPhone' : 'limitedByAddress';
  };
}

function readSecret({ header, parameter }: SecretField): (request: FastifyRequest) => string {
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
