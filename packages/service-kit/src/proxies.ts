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
 * A list of `X-Forwarded-For` without ports. Some proxies write that of the connection behind an address (`192.0.2.7:40712`,
 * `[2001:db8::7]:40712`): it is another one each time, so no limit would hold, and no range would know the address.
 */
export function withoutPorts(forwarded: string): string {
  if (!mayHavePort.test(forwarded)) return forwarded;
  return forwarded
    .split(',')
    .map((part) => part.trim().replace(withPort, '$1$2'))
    .join(', ');
}

const mayHavePort = /\]|\.\d+:\d/;
const withPort = /^(?:\[([0-9a-f:.]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/i;

/**
 * The address of a caller whose connection Fastify does not see, found as Fastify finds `request.ip`.
 * @param trusted what `trustedProxies` gives
 */
export function callerAddress(
  trusted: readonly string[] | false,
): (remoteAddress: string, headers: IncomingHttpHeaders) => string {
  const isProxy = addressRanges(trusted === false ? [] : trusted);
  return (remoteAddress, headers) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((list) => withoutPorts(list).split(','));
    let caller = remoteAddress;
    for (const address of forwarded.map((part) => part.trim()).reverse()) {
      if (!isProxy(caller)) break;
      if (address !== '') caller = address;
    }
    return caller;
  };
}
