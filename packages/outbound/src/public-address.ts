import ipaddr from 'ipaddr.js';
import { isCloudAgent } from './cloud-agents.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the public Internet: not to this machine, a private or shared network, a link, a multicast
 * group, a documentation or benchmark range, an IPv4 address embedded in IPv6, or a cloud's agent.
 *
 * Source: the special-purpose address registries of IANA (RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || isCloudAgent(parsed)) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6);
}

/** The ranges of own machines. Links are excluded, because clouds serve the credentials of a machine there. */
const OWN_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Whether an IP address belongs to this machine or to a private network: a cloud's agent never does, listed or not. */
export function isOwnAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return OWN_RANGES.includes(parsed.range()) && !isCloudAgent(parsed);
}
