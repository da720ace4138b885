import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Fastify's `trustProxy`: the ranges with a trusted `X-Forwarded-For`, or `false`. The client's address is the right-most one
 * that is not a trusted proxy.
 */
export function trustedProxies(config: {
  TRUST_PROXY_ENABLED: boolean;
  TRUST_PROXY_CIDRS: readonly string[];
}): string[] | false {
  return config.TRUST_PROXY_ENABLED && config.TRUST_PROXY_CIDRS.length > 0 ? [...config.TRUST_PROXY_CIDRS] : false;
}

/**
 * An `X-Forwarded-For` list without ports. Some proxies append the client's port (`192.0.2.7:40712`, `[2001:db8::7]:40712`), which
 * differs for each connection: limits and ranges would not match.
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
 * Finds the address of a client outside of Fastify, by the same rule as `request.ip`.
 * @param trusted result of `trustedProxies`
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

/** Returns a test whether an address lies in one of the ranges (addresses or CIDR). False for a text that is not an address. */
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
 * The rate limit key of an address: an IPv6 /64 is one key, since one subscriber holds it, and an IPv4 address equals its IPv6 form.
 * Same grouping as the limiter's `normalizeIP`, at a third of its time.
 */
export function addressKey(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address.toLowerCase();
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}::`;
}
