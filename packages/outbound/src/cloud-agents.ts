import ipaddr from 'ipaddr.js';

/**
 * Addresses of cloud agents with credentials and settings of a machine, beyond the usual link-local ones: IANA's registries list
 * them as public, or private like any other. No other service uses them.
 *
 * Sources: the clouds' own pages, as named.
 */
const AGENT_RANGES = [
  // Azure documentation of the address 168.63.129.16: the platform's agent, DNS and health probes.
  '168.63.129.16/32',
  // Alibaba Cloud, "View instance metadata".
  '100.100.100.200/32',
  // Volcano Engine, "Instance metadata".
  '100.96.0.96/32',
  // Oracle Cloud Classic, "Retrieving instance metadata"; reserved by IANA too.
  '192.0.0.192/32',
  // AWS, "Instance metadata service": fd00:ec2::254, and its variants for DNS (::253), time (::123) and pods (::23).
  'fd00:ec2::/32',
  // Google Cloud, "Metadata server" over IPv6.
  'fd20:ce::/32',
  // Oracle Cloud Infrastructure, "Instance metadata" over IPv6.
  'fd00:c1::/32',
  // Scaleway, "Metadata API" over IPv6.
  'fd00:42::/32',
  // Akamai (Linode), "Metadata service" over IPv6.
  'fd00:a9fe:a9fe::/48',
].map((range) => ipaddr.parseCIDR(range));

/** Whether an address is that of a cloud's agent for its machines. */
export function isCloudAgent(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return AGENT_RANGES.some(([range, bits]) => range.kind() === address.kind() && address.match([range, bits] as never));
}
