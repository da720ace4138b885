import ipaddr from 'ipaddr.js';

/**
 * An address with its host part hidden: `192.0.2.7` becomes `192.0.2.x`, an IPv6 address is cut after its /48. The rest
 * identifies the network. An invalid address is `unknown`.
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
 * A phone number with its middle hidden: `+260971234567` becomes `+26097****567`. The rest distinguishes two subscribers in a
 * log; a number too short for that is hidden whole.
 */
export function maskMsisdn(msisdn: string): string {
  const digits = msisdn.replace(/^\+/, '');
  if (digits.length < 9) return '****';
  return `${msisdn.startsWith('+') ? '+' : ''}${digits.slice(0, 5)}****${digits.slice(-3)}`;
}
