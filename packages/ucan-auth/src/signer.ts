import { createHash } from 'node:crypto';
import { signingKeyFromSeed } from '@mlango/crypto/ed25519';
import { didOfKey } from './did-key.js';

/** Somebody who can sign tokens. */
export interface UcanSigner {
  /** The DID that tokens are issued by. */
  readonly did: string;
  /** The did:key of the key that signs. */
  readonly keyDid: string;
  /** The 64-byte Ed25519 signature on `message`. */
  sign(message: Uint8Array): Uint8Array;
}

const HEX_SEED = /^[0-9a-fA-F]{64}$/;

/**
 * The signer of a 32-byte seed, given as bytes or as 64 hex characters. `did` is who it signs for, when that is not the key
 * itself, such as a did:ixo whose document lists the key.
 * @throws RangeError when the seed has another form
 */
export function signerFromSeed(seed: Uint8Array | string, did?: string): UcanSigner {
  if (typeof seed === 'string' && !HEX_SEED.test(seed))
    throw new RangeError('a seed is 32 bytes, or 64 hex characters');
  const key = signingKeyFromSeed(typeof seed === 'string' ? Buffer.from(seed, 'hex') : seed);
  const keyDid = didOfKey(key.publicKey);
  return { did: did ?? keyDid, keyDid, sign: (message) => key.sign(message) };
}

/** The signer of a mnemonic: its seed is the SHA-256 of the trimmed words (32 bytes). */
export function signerFromMnemonic(words: string, did?: string): UcanSigner {
  return signerFromSeed(createHash('sha256').update(words.trim(), 'utf8').digest(), did);
}
