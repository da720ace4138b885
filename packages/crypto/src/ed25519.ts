import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isUsablePoint, PUBLIC_KEY_BYTES } from './ed25519-points.js';

export { PUBLIC_KEY_BYTES } from './ed25519-points.js';
export const SIGNATURE_BYTES = 64;
export const SEED_BYTES = 32;

/** A public key ready for use; importing costs about half a verification, so it is worth keeping. */
export interface VerifyingKey {
  /** The 32 bytes of RFC 8032. */
  readonly publicKey: Uint8Array;
  /** Whether `signature` (64 bytes) is this key's on `message`. Never throws. */
  verify(message: Uint8Array, signature: Uint8Array): boolean;
}

export interface SigningKey {
  /** The 32 bytes of RFC 8032. */
  readonly publicKey: Uint8Array;
  /** The 64-byte signature of RFC 8032 on `message`. */
  sign(message: Uint8Array): Uint8Array;
}

/**
 * Imports a raw public key. Undefined if it is not 32 bytes, not the canonical encoding of a point of the curve, or a point of
 * small order, for which signatures can be forged.
 */
export function importVerifyingKey(publicKey: Uint8Array): VerifyingKey | undefined {
  if (publicKey.length !== PUBLIC_KEY_BYTES || !isUsablePoint(publicKey)) return undefined;
  try {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return { publicKey, verify: (message, signature) => verifyWith(key, message, signature) };
  } catch {
    return undefined;
  }
}

/** Verifies `signature` of `publicKey` (32 raw bytes) on `message`. Never throws for malformed bytes. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return importVerifyingKey(publicKey)?.verify(message, signature) ?? false;
}

/**
 * The key of a 32-byte seed (the private key of RFC 8032).
 * @throws RangeError when the seed is not 32 bytes: a programmer's error, not input.
 */
export function signingKeyFromSeed(seed: Uint8Array): SigningKey {
  if (seed.length !== SEED_BYTES) throw new RangeError(`an Ed25519 seed is ${SEED_BYTES} bytes`);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const publicKey = new Uint8Array(Buffer.from(x ?? '', 'base64url'));
  return { publicKey, sign: (message) => new Uint8Array(sign(null, message, key)) };
}

// RFC 8410: PrivateKeyInfo for id-Ed25519 up to the 32 bytes of the seed.
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

function verifyWith(key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}
