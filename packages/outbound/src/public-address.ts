import ipaddr from 'ipaddr.js';
import { isCloudAgent } from './cloud-agents.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the public Internet: not to this machine, a private or shared network, a link, a
 * multicast group, a documentation or benchmark range, nor a way of writing an IPv4 address in IPv6, nor to a cloud's agent.
 *
 * Source: the special-purpose address registries of IANA (RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || isCloudAgent(parsed)) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6);
}

/** What machines of one's own are at. Not among them: links, where clouds keep the credentials of a machine. */
const OWN_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Whether an IP address belongs to this machine or to a network that one runs oneself: no cloud's agent is there, named or not. */
export function isOwnAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return OWN_RANGES.includes(parsed.range()) && !isCloudAgent(parsed);
}
