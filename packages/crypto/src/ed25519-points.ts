export const PUBLIC_KEY_BYTES = 32;

// The y coordinates (little endian) of the points of an order that divides 8, the sign of x cleared.
const SMALL_ORDER = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/**
 * Whether 32 bytes may be used as a public key: y is below the field's prime (RFC 8032, section 5.1.3, so that a key has
 * one spelling) and the point's order is not small. It does not prove that the point is on the curve.
 */
export function isUsablePoint(encoded: Uint8Array): boolean {
  const y = Buffer.from(encoded);
  y[31] = (y[31] ?? 0) & 0x7f;
  return isBelowPrime(y) && !SMALL_ORDER.has(y.toString('hex'));
}

// p = 2^255 - 19: the bytes ed ff … ff 7f.
function isBelowPrime(y: Buffer): boolean {
  if (y[31] !== 0x7f) return true;
  for (let index = 30; index > 0; index--) {
    if (y[index] !== 0xff) return true;
  }
  return (y[0] ?? 0) < 0xed;
}
