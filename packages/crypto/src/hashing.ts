import { createHmac, hash, hkdfSync } from 'node:crypto';

/** SHA-256 (FIPS 180-4) of bytes, or of a string as UTF-8: 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** SHA-256 as 64 lower-case hex characters. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** HMAC-SHA-256 (RFC 2104): 32 bytes. */
export function hmacSha256(key: string | Uint8Array, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/**
 * A MAC of a text: SHA3-256 (FIPS 202) of key and text, as 43 characters of base64url. SHA-3 needs no HMAC around it: it is not
 * open to length extension. A quarter of the cost of HMAC for short texts.
 *
 * @param key of one length for all texts.
 */
export function sha3Mac(key: Uint8Array): (text: string) => string {
  const prefix = Buffer.from(key).toString('hex');
  return (text) => hash('sha3-256', prefix + text, 'base64url');
}

/**
 * HKDF-SHA-256 (RFC 5869), extract and expand.
 * @throws RangeError for more than 255 × 32 bytes.
 */
export function hkdfSha256(
  inputKey: Uint8Array,
  salt: Uint8Array,
  info: string | Uint8Array,
  lengthBytes: number,
): Buffer {
  return Buffer.from(hkdfSync('sha256', inputKey, salt, info, lengthBytes));
}
