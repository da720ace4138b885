import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

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

/** Whether an address lies in one of the given addresses and CIDR ranges; no text that is no address does. */
export function addressRanges(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/**
 * What a caller's address is counted under: all addresses of an IPv6 /64 are one, since one subscriber holds them all, and an
 * IPv4 address is the same in its IPv6 form. The groups are those of the limiter's `normalizeIP`, which takes three times as long.
 */
export function addressKey(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address.toLowerCase();
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}::`;
}
