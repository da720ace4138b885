import { createPrivateKey, createPublicKey } from 'node:crypto';
import { base58, bech32 } from './encodings.js';
import { digest } from './seeded.js';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A chain address that stands for a label: of an account, or of a contract (which is longer). */
export function address(label: string, kind: 'account' | 'contract' = 'account'): string {
  return bech32('ixo', digest(`address ${label}`).subarray(0, kind === 'account' ? 20 : 32));
}

/** An Ed25519 public key that stands for a label: 32 bytes, a real point. */
export function publicKey(label: string): Buffer {
  const seed = digest(`key ${label}`);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
}

/** An Ed25519 public key in multibase, with its multicodec prefix. */
export function multibaseKey(key: Buffer): string {
  return `z${base58(Buffer.concat([Buffer.from([0xed, 0x01]), key]))}`;
}

/** The DID of an entity by its number, from 1: `did:ixo:entity:e0001`. */
export function entityDid(number: number): string {
  return `did:ixo:entity:e${String(number).padStart(4, '0')}`;
}
