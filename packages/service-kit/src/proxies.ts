import type { IncomingHttpHeaders } from 'node:http';
import { addressRanges } from './address-ranges.js';

export { addressRanges } from './address-ranges.js';

/**
 * What Fastify needs to find a caller's address behind reverse proxies: the ranges whose `X-Forwarded-For` is believed,
 * or `false` to believe nobody. The address taken is the right-most one that is not itself a trusted proxy.
 */
export function trustedProxies(config: {
  TRUST_PROXY_ENABLED: boolean;
  TRUST_PROXY_CIDRS: readonly string[];
}): string[] | false {
  return config.TRUST_PROXY_ENABLED && config.TRUST_PROXY_CIDRS.length > 0 ? [...config.TRUST_PROXY_CIDRS] : false;
}

/**
 * The address of a caller whose connection Fastify does not see, found as Fastify finds `request.ip`.
 * @param trusted what `trustedProxies` gives
 */
export function callerAddress(
  trusted: readonly string[] | false,
): (remoteAddress: string, headers: IncomingHttpHeaders) => string {
  const isProxy = addressRanges(trusted === false ? [] : trusted);
  return (remoteAddress, headers) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((list) => list.split(','));
    let caller = remoteAddress;
    for (const address of forwarded.map((part) => part.trim()).reverse()) {
      if (!isProxy(caller)) break;
      if (address !== '') caller = address;
    }
    return caller;
  };
}
