import { constantTimeEqual } from '@mlango/crypto/equality';
import { sha256Hex } from '@mlango/crypto/hashing';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressRanges } from '@mlango/service-kit/proxies';
import type { RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../aggregator-settings.js';
import type { CallerCheck } from '../aggregators/adapter.js';

/**
 * The kind of a caller. A `gateway` calls from a listed address and is limited by phone; a `caller` is allowed too, and limited by
 * address; a `stranger` is refused.
 */
export type AggregatorCaller = 'gateway' | 'caller' | 'stranger';

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
  const isNamed = cidrs.length === 0 ? isTrusted : () => true;
  const presentedSecret = readSecret(check);
  return (request: FastifyRequest): AggregatorCaller => {
    const hasSecret = secret === undefined || constantTimeEqual(presentedSecret(request), secret);
    const isAllowedAddress = isAllowed(request.ip);
    if (!hasSecret || !isAllowedAddress) return 'stranger';
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

const minuteMs = 60_000;

/**
 * Counts a hop of one subscriber, over all aggregators.
 * @param name of the counter.
 * @param onRefused called for a hop over the limit.
 * @throws {ServiceError} `rate_limited`.
 */
export async function limitPhone(
  store: RateLimitStore,
  name: string,
  phoneNumber: string,
  max: number,
  onRefused: () => void,
): Promise<void> {
  // Shared stores get a digest, not the number.
  const { count, resetMs } = await store.hit(`${name}:${sha256Hex(phoneNumber).slice(0, 32)}`, minuteMs);
  if (count <= max) return;
  onRefused();
  const retryAfter = String(Math.max(1, Math.ceil(resetMs / 1000)));
  throw new ServiceError('rate_limited', 'Too many requests', {
    headers: { 'retry-after': retryAfter },
    limiter: 'phone',
  });
}
