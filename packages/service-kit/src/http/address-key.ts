import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

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
