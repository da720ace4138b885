const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** Base 58 in Bitcoin's alphabet. */
export function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = BASE58.charAt(Number(number % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return BASE58.charAt(0).repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** Splits bytes into groups of five bits, the last filled with zeros. */
function fiveBitGroups(bytes: Uint8Array): number[] {
  const groups: number[] = [];
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) groups.push((value >>> (bits - 5)) & 31);
  }
  if (bits > 0) groups.push((value << (5 - bits)) & 31);
  return groups;
}

/** Base 32 in small letters without padding (RFC 4648), as multibase `b` has it. */
export function base32(bytes: Uint8Array): string {
  return fiveBitGroups(bytes)
    .map((group) => BASE32.charAt(group))
    .join('');
}

/** Bech32 (BIP 173), the form of chain addresses. */
export function bech32(prefix: string, bytes: Uint8Array): string {
  const groups = fiveBitGroups(bytes);
  const codes = [...Buffer.from(prefix)];
  const expanded = [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
  const sum = checksum([...expanded, ...groups, 0, 0, 0, 0, 0, 0]) ^ 1;
  const tail = [25, 20, 15, 10, 5, 0].map((shift) => (sum >>> shift) & 31);
  return `${prefix}1${[...groups, ...tail].map((group) => BECH32.charAt(group)).join('')}`;
}

function checksum(groups: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  let sum = 1;
  for (const group of groups) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ group;
    generators.forEach((generator, bit) => {
      if ((top >>> bit) & 1) sum ^= generator;
    });
  }
  return sum >>> 0;
}
