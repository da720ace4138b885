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
 * HKDF-SHA-256 (RFC 5869), extract and expand.
 * @throws RangeError when more than 255 × 32 bytes are asked for.
 */
export function hkdfSha256(
  inputKey: Uint8Array,
  salt: Uint8Array,
  info: string | Uint8Array,
  lengthBytes: number,
): Buffer {
  return Buffer.from(hkdfSync('sha256', inputKey, salt, info, lengthBytes));
}
