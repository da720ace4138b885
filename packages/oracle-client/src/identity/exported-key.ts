import { base64url } from 'multiformats/bases/base64';
import type { ExportedKey } from './signing-key.js';

const bytes = 32;

/** A key of its seed and its public half. Pure. */
export function exportedKey(seed: Uint8Array, publicKey: Uint8Array): ExportedKey {
  return { kty: 'OKP', crv: 'Ed25519', d: base64url.baseEncode(seed), x: base64url.baseEncode(publicKey) };
}

/**
 * The seed and the public half of a key that somebody hands over.
 * @throws Error for what is none
 */
export function readExportedKey(given: unknown): { readonly seed: Uint8Array; readonly publicKey: Uint8Array } {
  const { kty, crv, d, x } = (given ?? {}) as Partial<Record<keyof ExportedKey, unknown>>;
  const [seed, publicKey] = [bytesOf(d), bytesOf(x)];
  if (kty !== 'OKP' || crv !== 'Ed25519' || seed === undefined || publicKey === undefined)
    throw new Error('This is no Ed25519 key: a JSON Web Key with kty, crv, d and x is one');
  return { seed, publicKey };
}

function bytesOf(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || !/^[\w-]{43}$/.test(text)) return undefined;
  const decoded = base64url.baseDecode(text);
  return decoded.length === bytes ? decoded : undefined;
}
