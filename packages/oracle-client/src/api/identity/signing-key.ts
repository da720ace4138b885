import { base58btc } from 'multiformats/bases/base58';
import { base64url } from 'multiformats/bases/base64';

/** An Ed25519 key that signs. */
export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The 64-byte signature on a message. */
  sign(message: Uint8Array): Promise<Uint8Array>;
  /** The exportable key; undefined if the browser does not export it. */
  exportKey(): Promise<ExportedKey | undefined>;
}

/** A private key as a JSON Web Key: RFC 8037, section 2. */
export interface ExportedKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The private key, 32 bytes in base64url. */
  readonly d: string;
  /** The public key, 32 bytes in base64url. */
  readonly x: string;
}

const bytes = 32;

/** A key of its seed and its public half. Pure. */
export function exportedKey(seed: Uint8Array, publicKey: Uint8Array): ExportedKey {
  return { kty: 'OKP', crv: 'Ed25519', d: base64url.baseEncode(seed), x: base64url.baseEncode(publicKey) };
}

/**
 * The seed and the public key of an exported key.
 * @throws Error for an invalid key
 */
export function readExportedKey(exported: unknown): { readonly seed: Uint8Array; readonly publicKey: Uint8Array } {
  const { kty, crv, d, x } = (exported ?? {}) as Partial<Record<keyof ExportedKey, unknown>>;
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

/** The bytes before those of an Ed25519 public key in a did:key. */
const ed25519Prefix = [0xed, 0x01];

/** The did:key of an Ed25519 public key. */
export function didOfKey(publicKey: Uint8Array): `did:key:${string}` {
  return `did:key:${base58btc.encode(Uint8Array.from([...ed25519Prefix, ...publicKey]))}`;
}
