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

/**
 * A phone number with its middle hidden: `+260971234567` becomes `+26097****567`. Enough is left to tell two
 * subscribers apart in a log; a number too short for that is hidden whole.
 */
export function maskMsisdn(msisdn: string): string {
  const digits = msisdn.replace(/^\+/, '');
  if (digits.length < 9) return '****';
  return `${msisdn.startsWith('+') ? '+' : ''}${digits.slice(0, 5)}****${digits.slice(-3)}`;
}
