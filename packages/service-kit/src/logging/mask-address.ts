import ipaddr from 'ipaddr.js';

/**
 * An address with the part hidden that tells one caller of a network from another: `192.0.2.7` becomes `192.0.2.x`, an IPv6
 * address is cut after its /48. Enough is left to know a network that one has to do with. What is no address is `unknown`.
 */
export function maskAddress(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.x`;
  return `${parsed.parts
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(':')}:x`;
}
